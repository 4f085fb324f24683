# Where the sources of the libraries lie that are compiled into the page: app/setup --web puts them there. Those that are
# missing are fetched, as core/dependencies.cmake says.
foreach(library IN ITEMS fmt json expected eigen highway zlib libpng freetype qrcodegen pixman cairo)
    string(TOUPPER ${library} upper)
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS ${CMAKE_SOURCE_DIR}/build/deps/web/${library})
        set(FETCHCONTENT_SOURCE_DIR_${upper} ${CMAKE_SOURCE_DIR}/build/deps/web/${library})
    endif()
endforeach()

# The page is compiled for size (the preset `web`), and this for speed: what computes for every frame, and what draws it.
# A precompiled header is for one of the two.
file(GLOB hot CONFIGURE_DEPENDS core/attention/*.cpp core/basis/*.cpp core/fields/*.cpp core/numeric/*.cpp core/phase/*.cpp
                                core/scores/*.cpp app/canvas/*.cpp app/canvas/screen/*.cpp)
set_source_files_properties(${hot} PROPERTIES COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
