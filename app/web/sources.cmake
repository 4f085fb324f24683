# Where the sources of the libraries lie that are compiled into the page: app/setup --web puts them there. Those that are
# missing are fetched, as core/dependencies.cmake says.
foreach(library IN ITEMS fmt json expected eigen highway zlib libpng freetype qrcodegen pixman cairo)
    string(TOUPPER ${library} upper)
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS ${CMAKE_SOURCE_DIR}/build/deps/web/${library})
        set(FETCHCONTENT_SOURCE_DIR_${upper} ${CMAKE_SOURCE_DIR}/build/deps/web/${library})
    endif()
endforeach()
