# What the tests and benchmarks link, found as core/dependencies.cmake says.
#
# Targets      GTest::gtest  GTest::gtest_main  rapidcheck  rapidcheck_gtest  posiscope::mpfr (if found)

if(POSISCOPE_TESTS)
    find_package(GTest QUIET)
    if(NOT TARGET GTest::gtest_main)
        posiscope_fetch(googletest
            URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
            SHA256 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7
            OPTIONS INSTALL_GTEST=OFF BUILD_GMOCK=OFF)
    endif()

    find_package(rapidcheck QUIET CONFIG)
    if(NOT TARGET rapidcheck_gtest)
        posiscope_fetch(rapidcheck
            URL https://github.com/emil-e/rapidcheck/archive/ff6af6fc683159deb51c543b065eba14dfcf329b.tar.gz
            SHA256 f978132be070d6e0ae0be097c6cd5b65edeedf19f78c57158b2c43ffa412323d
            OPTIONS RC_ENABLE_GTEST=ON)
    endif()

    # MPFR judges the mathematics to many digits. It has no CMake build; without it those tests are left out.
    find_path(POSISCOPE_MPFR_INCLUDE mpfr.h)
    find_library(POSISCOPE_MPFR_LIBRARY mpfr)
    find_library(POSISCOPE_GMP_LIBRARY gmp)
    mark_as_advanced(POSISCOPE_MPFR_INCLUDE POSISCOPE_MPFR_LIBRARY POSISCOPE_GMP_LIBRARY)
    if(POSISCOPE_MPFR_INCLUDE AND POSISCOPE_MPFR_LIBRARY AND POSISCOPE_GMP_LIBRARY)
        add_library(posiscope::mpfr INTERFACE IMPORTED)
        target_include_directories(posiscope::mpfr SYSTEM INTERFACE ${POSISCOPE_MPFR_INCLUDE})
        target_link_libraries(posiscope::mpfr INTERFACE ${POSISCOPE_MPFR_LIBRARY} ${POSISCOPE_GMP_LIBRARY})
    else()
        message(STATUS "Posiscope: MPFR is not installed (libmpfr-dev); the tests that need it are left out")
    endif()
endif()
