# Where the sources of libraries lie that are compiled in: app/setup puts them into build/deps/FOLDER. Those that are missing
# are fetched, as core/dependencies.cmake says.
macro(posiscope_sources folder)
    foreach(library IN ITEMS ${ARGN})
        string(TOUPPER ${library} upper)
        if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS ${CMAKE_SOURCE_DIR}/build/deps/${folder}/${library})
            set(FETCHCONTENT_SOURCE_DIR_${upper} ${CMAKE_SOURCE_DIR}/build/deps/${folder}/${library})
        endif()
    endforeach()
endmacro()
