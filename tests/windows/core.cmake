# core's tests as a program to be run under Wine, build/windows/test_core.exe (tests/windows/run): all of them but what POSIX alone
# has. With as much of RapidCheck and of MPFR as needs no library (tests/web/rapidcheck, tests/web/mpfr).
set(googletest /usr/src/googletest/googletest) # as Debian's libgtest-dev brings it
if(NOT EXISTS ${googletest})
    message(STATUS "Posiscope: no sources of GoogleTest in ${googletest}; core's tests are not built for Windows")
    return()
endif()
add_library(posiscope_gtest STATIC EXCLUDE_FROM_ALL ${googletest}/src/gtest-all.cc ${googletest}/src/gtest_main.cc)
target_include_directories(posiscope_gtest SYSTEM PUBLIC ${googletest}/include PRIVATE ${googletest})
target_compile_options(posiscope_gtest PRIVATE -w)

file(GLOB_RECURSE core_tests CONFIGURE_DEPENDS tests/core/*.cpp)
list(FILTER core_tests EXCLUDE REGEX "/tests/core/os/posix/")
add_executable(test_core EXCLUDE_FROM_ALL ${core_tests} tests/places.cpp)
target_link_libraries(test_core PRIVATE posiscope_core posiscope_options posiscope_gtest hwy::hwy)
target_include_directories(test_core SYSTEM PRIVATE tests/web/rapidcheck tests/web/mpfr)
target_compile_definitions(test_core PRIVATE POSISCOPE_MPFR)
target_compile_options(test_core PRIVATE $<$<CONFIG:Release>:-O1>)
target_precompile_headers(test_core PRIVATE ${precompiled_headers} <gtest/gtest.h> <rapidcheck.h> <rapidcheck/gtest.h>)
posiscope_together(test_core ${core_test_rooms})
set_source_files_properties(tests/places.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
                            COMPILE_DEFINITIONS "POSISCOPE_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")
file(GLOB kernel_tests CONFIGURE_DEPENDS tests/core/experiment/*.cpp)
set_source_files_properties(${kernel_tests} PROPERTIES COMPILE_OPTIONS "${kernel_options}" SKIP_PRECOMPILE_HEADERS ON)
