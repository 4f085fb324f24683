# What core links, and how any library of ours is found.
#
# Each library is looked for on the machine first (find_package); where it is missing, the pinned source
# is fetched and checked by its hash. FETCHCONTENT_SOURCE_DIR_<NAME> points to a source that lies here.
#
# Targets      fmt::fmt  nlohmann_json::nlohmann_json  tl::expected  Eigen3::Eigen  hwy::hwy  Threads::Threads
# Functions    posiscope_fetch(...)  posiscope_headers(...)

include(FetchContent)

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is too old for Posiscope: "
                        "remove build/, then name g++ 12, clang 14 or a later one with CXX=.")
endif()

# posiscope_fetch(name URL ... SHA256 ... [SUBDIR dir] [OPTIONS A=B ...]): the pinned source, built by its own
# CMakeLists.txt, or only unpacked with SUBDIR none. Its path: FetchContent_GetProperties(name SOURCE_DIR var).
function(posiscope_fetch name)
    cmake_parse_arguments(PARSE_ARGV 1 fetch "" "URL;SHA256;SUBDIR" "OPTIONS")
    string(TOUPPER ${name} upper)
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND NOT FETCHCONTENT_FULLY_DISCONNECTED)
        message(STATUS "Posiscope: ${name} is not installed; fetching ${fetch_URL}")
    endif()
    set(BUILD_SHARED_LIBS OFF)
    set(BUILD_TESTING OFF)
    set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # the OPTIONS below reach older projects' option() too
    foreach(setting IN LISTS fetch_OPTIONS)
        string(REPLACE "=" ";" setting ${setting})
        set(${setting})
    endforeach()
    if(fetch_SUBDIR)
        set(subdir SOURCE_SUBDIR ${fetch_SUBDIR})
    endif()
    FetchContent_Declare(${name} URL ${fetch_URL} URL_HASH SHA256=${fetch_SHA256} SYSTEM
                         DOWNLOAD_EXTRACT_TIMESTAMP OFF ${subdir})
    FetchContent_MakeAvailable(${name})
endfunction()

# posiscope_headers(target name directory): a fetched library that is only headers.
function(posiscope_headers target name directory)
    FetchContent_GetProperties(${name} SOURCE_DIR source)
    add_library(posiscope_${name} INTERFACE)
    target_include_directories(posiscope_${name} SYSTEM INTERFACE ${source}/${directory})
    add_library(${target} ALIAS posiscope_${name})
endfunction()

find_package(fmt QUIET)
if(NOT TARGET fmt::fmt)
    posiscope_fetch(fmt
        URL https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
        SHA256 1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811
        OPTIONS FMT_INSTALL=OFF FMT_TEST=OFF FMT_DOC=OFF)
endif()

find_package(nlohmann_json QUIET)
if(NOT TARGET nlohmann_json::nlohmann_json)
    posiscope_fetch(json SUBDIR none
        URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
        SHA256 d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
    posiscope_headers(nlohmann_json::nlohmann_json json include)
endif()

find_package(tl-expected QUIET CONFIG)
if(NOT TARGET tl::expected)
    posiscope_fetch(expected SUBDIR none
        URL https://github.com/TartanLlama/expected/archive/refs/tags/v1.1.0.tar.gz
        SHA256 1db357f46dd2b24447156aaf970c4c40a793ef12a8a9c2ad9e096d9801368df6)
    posiscope_headers(tl::expected expected include)
endif()

find_package(Eigen3 QUIET CONFIG)
if(NOT TARGET Eigen3::Eigen)
    posiscope_fetch(eigen SUBDIR none
        URL https://gitlab.com/libeigen/eigen/-/archive/3.4.0/eigen-3.4.0.tar.gz
        SHA256 8586084f71f9bde545ee7fa6d00288b264a2b7ac3607b974e54d13e7162c1c72)
    posiscope_headers(Eigen3::Eigen eigen .)
endif()

find_package(hwy QUIET CONFIG)
if(NOT TARGET hwy::hwy)
    posiscope_fetch(highway
        URL https://github.com/google/highway/archive/refs/tags/1.0.3.tar.gz
        SHA256 566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e
        OPTIONS HWY_ENABLE_CONTRIB=OFF HWY_ENABLE_EXAMPLES=OFF HWY_ENABLE_TESTS=OFF)
    add_library(hwy::hwy ALIAS hwy)
endif()

find_package(Threads REQUIRED)
