# core's tests as a program for another system than the one that builds it: build/web/test_core.js for node (tests/web/run),
# build/windows/test_core.exe for Wine (tests/windows/run). With as much of RapidCheck and of MPFR as needs no library
# (tests/web/rapidcheck, tests/web/mpfr).
set(googletest /usr/src/googletest/googletest) # as Debian's libgtest-dev brings it
if(NOT EXISTS ${googletest})
    message(STATUS "Posiscope: no sources of GoogleTest in ${googletest}; core's tests are not built for ${CMAKE_SYSTEM_NAME}")
    return()
endif()
add_library(posiscope_gtest STATIC EXCLUDE_FROM_ALL ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(posiscope_gtest SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_compile_options(posiscope_gtest PRIVATE -w)

if(EMSCRIPTEN) # only what may differ there: numbers, the C library's functions, formats and sizes
    file(GLOB core_tests CONFIGURE_DEPENDS tests/core/json_test.cpp tests/core/attention/*.cpp tests/core/basis/*.cpp
         tests/core/encodings/*.cpp tests/core/experiment/*.cpp tests/core/fields/*.cpp tests/core/formats/*.cpp
         tests/core/numeric/*.cpp tests/core/phase/*.cpp tests/core/precision/*.cpp tests/core/quantities/*.cpp
         tests/core/os/posix/tensor_test.cpp tests/core/scene/scene_bounds_test.cpp tests/core/scene/tensors_test.cpp
         tests/core/scores/*.cpp)
else() # all but what POSIX alone has
    file(GLOB_RECURSE core_tests CONFIGURE_DEPENDS tests/core/*.cpp)
    list(FILTER core_tests EXCLUDE REGEX "/tests/core/os/posix/")
endif()
add_executable(test_core EXCLUDE_FROM_ALL ${core_tests} tests/places.cpp)
target_link_libraries(test_core PRIVATE posiscope_core posiscope_options posiscope_gtest hwy::hwy)
target_include_directories(test_core SYSTEM PRIVATE tests/web/rapidcheck tests/web/mpfr)
target_compile_definitions(test_core PRIVATE POSISCOPE_MPFR)
target_precompile_headers(test_core PRIVATE ${precompiled_headers} <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
file(GLOB kernel_tests CONFIGURE_DEPENDS tests/core/experiment/*.cpp)
set_source_files_properties(${kernel_tests} PROPERTIES COMPILE_OPTIONS "${kernel_options}" SKIP_PRECOMPILE_HEADERS ON)
unity_build(test_core ${core_test_rooms})
set_source_files_properties(tests/places.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                            COMPILE_DEFINITIONS "POSISCOPE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
if(EMSCRIPTEN)
    # Files and the environment are the machine's own.
    set_target_properties(test_core PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/tests/web/environment.js)
    target_link_options(test_core PRIVATE -O1 --pre-js ${PROJECT_SOURCE_DIR}/tests/web/environment.js
                        -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -sALLOW_MEMORY_GROWTH=1
                        -sINITIAL_MEMORY=134217728 -sTOTAL_STACK=8388608)
else()
    target_compile_options(test_core PRIVATE $<$<CONFIG:Release>:-O1>)
endif()
