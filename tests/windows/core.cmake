# What core does otherwise on Windows, as a program to be run under Wine: build/windows/test_core.exe (tests/windows/run). The
# numbers are the same code, which the tests on Linux judge.
set(googletest /usr/src/googletest/googletest) # as Debian's libgtest-dev brings it
if(NOT EXISTS ${googletest})
    message(STATUS "Posiscope: no sources of GoogleTest in ${googletest}; core's tests are not built for Windows")
    return()
endif()
add_library(posiscope_gtest STATIC EXCLUDE_FROM_ALL ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(posiscope_gtest SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_compile_options(posiscope_gtest PRIVATE -w)

# All but what POSIX alone has, what wants libraries for its judgement (MPFR, RapidCheck), and minutes of training.
file(GLOB_RECURSE core_tests CONFIGURE_DEPENDS tests/core/*.cpp)
foreach(source IN LISTS core_tests)
    file(STRINGS ${source} judged REGEX "mpfr|rapidcheck|RC_GTEST|(real|any_scene)[.]hpp" LIMIT_COUNT 1)
    if(judged OR source MATCHES "/tests/core/(os/posix|experiment|claims|lessons)/")
        list(REMOVE_ITEM core_tests ${source})
    endif()
endforeach()
add_executable(test_core EXCLUDE_FROM_ALL ${core_tests} tests/places.cpp)
target_link_libraries(test_core PRIVATE posiscope_core posiscope_options posiscope_gtest)
target_compile_options(test_core PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(test_core PRIVATE ${precompiled_headers} <gtest/gtest.h>)
set_source_files_properties(tests/places.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                            COMPILE_DEFINITIONS "POSISCOPE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
