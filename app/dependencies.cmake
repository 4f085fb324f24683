# Everything Posiscope links and embeds, and where it comes from.
#
# Each library is looked for on the machine first (find_package); where it is missing, the pinned source
# is fetched and checked by its hash. FETCHCONTENT_SOURCE_DIR_<NAME> points to a source that lies here.
#
# Targets      posiscope::glad  posiscope::imgui  glfw  OpenGL::EGL (where there is EGL)  Freetype::Freetype
#              PNG::PNG  fmt::fmt  CLI11::CLI11  nlohmann_json::nlohmann_json  Eigen3::Eigen
#              hwy::hwy  Threads::Threads
#   tests      GTest::gtest  GTest::gtest_main  rapidcheck  rapidcheck_gtest  posiscope::mpfr (if found)
#   benches    benchmark::benchmark
# Functions    posiscope_embed(target name=file ...)    posiscope_embed_assets(target)

include(FetchContent)
enable_language(C ASM)

if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12) OR
   (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
    message(FATAL_ERROR "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is too old for Posiscope: "
                        "remove build/, then name g++ 12, clang 14 or a later one with CXX=.")
endif()

# --- How a library is found ------------------------------------------------------------------------------

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

# --- The program's libraries -----------------------------------------------------------------------------

find_package(fmt QUIET)
if(NOT TARGET fmt::fmt)
    posiscope_fetch(fmt
        URL https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
        SHA256 1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811
        OPTIONS FMT_INSTALL=OFF FMT_TEST=OFF FMT_DOC=OFF)
endif()

find_package(CLI11 QUIET)
if(NOT TARGET CLI11::CLI11)
    posiscope_fetch(cli11 SUBDIR none
        URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
        SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
    posiscope_headers(CLI11::CLI11 cli11 include)
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
        OPTIONS HWY_ENABLE_CONTRIB=OFF HWY_ENABLE_EXAMPLES=OFF HWY_ENABLE_INSTALL=OFF HWY_ENABLE_TESTS=OFF)
    add_library(hwy::hwy ALIAS hwy)
endif()

find_package(Threads REQUIRED)

find_package(PNG QUIET)
if(NOT TARGET PNG::PNG)
    # libpng's and zlib's own CMake files do not meet inside one build; their sources are plain enough.
    find_package(ZLIB QUIET)
    if(NOT TARGET ZLIB::ZLIB)
        posiscope_fetch(zlib SUBDIR none
            URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
            SHA256 9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23)
        FetchContent_GetProperties(zlib SOURCE_DIR zlib)
        file(GLOB sources ${zlib}/*.c)
        add_library(posiscope_zlib STATIC ${sources})
        target_include_directories(posiscope_zlib SYSTEM PUBLIC ${zlib})
        target_compile_definitions(posiscope_zlib PRIVATE $<$<BOOL:${UNIX}>:HAVE_UNISTD_H>)
        target_compile_options(posiscope_zlib PRIVATE -w)
        add_library(ZLIB::ZLIB ALIAS posiscope_zlib)
    endif()
    posiscope_fetch(libpng SUBDIR none
        URL https://github.com/pnggroup/libpng/archive/refs/tags/v1.6.43.tar.gz
        SHA256 fecc95b46cf05e8e3fc8a414750e0ba5aad00d89e9fdf175e94ff041caf1a03a)
    FetchContent_GetProperties(libpng SOURCE_DIR libpng)
    configure_file(${libpng}/scripts/pnglibconf.h.prebuilt ${CMAKE_BINARY_DIR}/libpng/pnglibconf.h COPYONLY)
    file(GLOB sources ${libpng}/png*.c)
    list(REMOVE_ITEM sources ${libpng}/pngtest.c)
    add_library(posiscope_png STATIC ${sources})
    target_include_directories(posiscope_png SYSTEM PUBLIC ${libpng} ${CMAKE_BINARY_DIR}/libpng)
    # The SIMD row filters need further files for each processor; a screenshot does not wait for them.
    target_compile_definitions(posiscope_png PRIVATE
        PNG_ARM_NEON_OPT=0 PNG_INTEL_SSE_OPT=0 PNG_MIPS_MSA_OPT=0 PNG_POWERPC_VSX_OPT=0)
    target_compile_options(posiscope_png PRIVATE -w)
    target_link_libraries(posiscope_png PUBLIC ZLIB::ZLIB)
    add_library(PNG::PNG ALIAS posiscope_png)
endif()

find_package(Freetype QUIET)
if(NOT TARGET Freetype::Freetype)
    posiscope_fetch(freetype
        URL https://github.com/freetype/freetype/archive/refs/tags/VER-2-13-3.tar.gz
        SHA256 bc5c898e4756d373e0d991bab053036c5eb2aa7c0d5c67e8662ddc6da40c4103
        OPTIONS SKIP_INSTALL_ALL=ON FT_DISABLE_ZLIB=ON FT_DISABLE_BZIP2=ON FT_DISABLE_PNG=ON
                FT_DISABLE_HARFBUZZ=ON FT_DISABLE_BROTLI=ON)
    if(NOT TARGET Freetype::Freetype)
        add_library(Freetype::Freetype ALIAS freetype)
    endif()
endif()

# Cairo has no CMake files, of its own or of the packagers', and builds with neither CMake nor little else.
if(NOT TARGET cairo::cairo)
    find_library(POSISCOPE_CAIRO_LIBRARY cairo)
    find_path(POSISCOPE_CAIRO_INCLUDE cairo.h PATH_SUFFIXES cairo)
    mark_as_advanced(POSISCOPE_CAIRO_LIBRARY POSISCOPE_CAIRO_INCLUDE)
    if(NOT POSISCOPE_CAIRO_LIBRARY OR NOT POSISCOPE_CAIRO_INCLUDE)
        message(FATAL_ERROR "Cairo, which writes PDF and SVG, is missing: install libcairo2-dev (Debian, Ubuntu), "
                            "cairo-devel (Fedora) or cairo (Homebrew).")
    endif()
    add_library(cairo::cairo UNKNOWN IMPORTED)
    set_target_properties(cairo::cairo PROPERTIES
        IMPORTED_LOCATION ${POSISCOPE_CAIRO_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${POSISCOPE_CAIRO_INCLUDE})
endif()

find_package(glfw3 QUIET CONFIG)
if(NOT TARGET glfw)
    posiscope_fetch(glfw
        URL https://github.com/glfw/glfw/archive/refs/tags/3.4.tar.gz
        SHA256 c038d34200234d071fae9345bc455e4a8f2f544ab60150765d7704e08f3dac01
        OPTIONS GLFW_BUILD_DOCS=OFF GLFW_BUILD_TESTS=OFF GLFW_BUILD_EXAMPLES=OFF GLFW_INSTALL=OFF
                GLFW_BUILD_WAYLAND=OFF)
endif()

# EGL draws without a window. Made by hand: FindOpenGL's OpenGL::EGL also links libOpenGL, which glad does
# not need and a small system does not have.
if(NOT TARGET OpenGL::EGL)
    find_library(POSISCOPE_EGL_LIBRARY EGL)
    find_path(POSISCOPE_EGL_INCLUDE EGL/egl.h)
    mark_as_advanced(POSISCOPE_EGL_LIBRARY POSISCOPE_EGL_INCLUDE)
    if(POSISCOPE_EGL_LIBRARY AND POSISCOPE_EGL_INCLUDE)
        add_library(OpenGL::EGL UNKNOWN IMPORTED)
        set_target_properties(OpenGL::EGL PROPERTIES
            IMPORTED_LOCATION ${POSISCOPE_EGL_LIBRARY}
            INTERFACE_INCLUDE_DIRECTORIES ${POSISCOPE_EGL_INCLUDE})
    elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        message(FATAL_ERROR "EGL, which draws without a window, is missing: install libegl-dev "
                            "(Debian, Ubuntu) or mesa-libEGL-devel (Fedora).")
    endif()
endif()

# --- OpenGL's loader: glad 2, generated while building ---------------------------------------------------

# By path first: another Python, without glad, may stand before the system's.
find_program(POSISCOPE_GLAD glad PATHS /usr/bin NO_DEFAULT_PATH)
find_program(POSISCOPE_GLAD glad)
find_program(POSISCOPE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(POSISCOPE_PYTHON NAMES python3 python)
mark_as_advanced(POSISCOPE_GLAD POSISCOPE_PYTHON)
if(POSISCOPE_GLAD AND NOT DEFINED POSISCOPE_GLAD_IS_2)
    execute_process(COMMAND ${POSISCOPE_GLAD} --help OUTPUT_VARIABLE help ERROR_QUIET)
    string(FIND "${help}" "--merge" at) # glad 1 could not merge
    if(at GREATER 0)
        set(POSISCOPE_GLAD_IS_2 TRUE CACHE INTERNAL "")
    endif()
endif()
if(POSISCOPE_GLAD_IS_2)
    set(generator ${POSISCOPE_GLAD})
else()
    posiscope_fetch(glad SUBDIR none
        URL https://github.com/Dav1dde/glad/archive/73db193f853e2ee079bf3ca8a64aa2eaf6459043.tar.gz # v2.0.8
        SHA256 33dbeae44d8315ece57e14eba4b1b4a02ac5406d1c4f49cd20048c91522a6b9a)
    FetchContent_GetProperties(glad SOURCE_DIR source)
    execute_process(COMMAND ${POSISCOPE_PYTHON} -c "import jinja2" RESULT_VARIABLE lacking ERROR_QUIET)
    if(lacking)
        message(FATAL_ERROR "glad, which generates the OpenGL loader, needs Python with Jinja: "
                            "install python3-glad (Debian, Ubuntu) or run pip install glad2.")
    endif()
    set(generator ${CMAKE_COMMAND} -E env PYTHONPATH=${source} ${POSISCOPE_PYTHON} -m glad)
endif()
set(glad ${CMAKE_BINARY_DIR}/glad)
# --reproducible: with the specification that came with glad; without it, glad asks the network.
add_custom_command(
    OUTPUT ${glad}/src/gl.c ${glad}/include/glad/gl.h ${glad}/include/KHR/khrplatform.h
    COMMAND ${generator} --api gl:core=3.3 --extensions= --out-path ${glad} --reproducible --quiet c
            > ${CMAKE_BINARY_DIR}/glad.log 2>&1
    COMMENT "Generating the OpenGL 3.3 loader"
    VERBATIM)
add_library(posiscope_glad STATIC ${glad}/src/gl.c ${glad}/include/glad/gl.h)
target_include_directories(posiscope_glad SYSTEM PUBLIC ${glad}/include)
target_compile_options(posiscope_glad PRIVATE -w)
add_library(posiscope::glad ALIAS posiscope_glad)

# --- Dear ImGui, at least 1.92 (fonts at any size, Chinese without glyph ranges) -------------------------

# app/setup reads the commit from here: it is upstream's tag v1.92.2b.
set(POSISCOPE_IMGUI_COMMIT 45acd5e0e82f4c954432533ae9985ff0e1aad6d5)
set(POSISCOPE_IMGUI_SHA256 97484925aec2f4d3e913d6644d46b234f8d6d8d98c6aa9c50109e0f0df772090)

if(NOT FETCHCONTENT_SOURCE_DIR_IMGUI AND EXISTS ${CMAKE_SOURCE_DIR}/build/deps/imgui/imgui.h)
    set(FETCHCONTENT_SOURCE_DIR_IMGUI ${CMAKE_SOURCE_DIR}/build/deps/imgui)
endif()
if(NOT FETCHCONTENT_SOURCE_DIR_IMGUI)
    find_package(imgui 1.92 QUIET CONFIG)
    if(TARGET imgui::imgui)
        # Both sides of the library must agree about these two, so an installed one needs to have them.
        get_target_property(definitions imgui::imgui INTERFACE_COMPILE_DEFINITIONS)
        if(NOT definitions MATCHES "IMGUI_USE_WCHAR32" OR NOT definitions MATCHES "IMGUI_ENABLE_FREETYPE")
            message(STATUS "Posiscope: the installed imgui lacks wchar32 or freetype; not used")
            set(POSISCOPE_OWN_IMGUI TRUE)
        endif()
    endif()
endif()
if(TARGET imgui::imgui AND NOT POSISCOPE_OWN_IMGUI)
    add_library(posiscope_imgui INTERFACE)
    target_link_libraries(posiscope_imgui INTERFACE imgui::imgui)
    target_compile_definitions(posiscope_imgui INTERFACE IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
else()
    posiscope_fetch(imgui SUBDIR none
        URL https://github.com/ocornut/imgui/archive/${POSISCOPE_IMGUI_COMMIT}.tar.gz
        SHA256 ${POSISCOPE_IMGUI_SHA256})
    FetchContent_GetProperties(imgui SOURCE_DIR imgui)
    add_library(posiscope_imgui STATIC
        ${imgui}/imgui.cpp ${imgui}/imgui_demo.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
        ${imgui}/imgui_widgets.cpp ${imgui}/backends/imgui_impl_glfw.cpp
        ${imgui}/backends/imgui_impl_opengl3.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
        ${imgui}/misc/freetype/imgui_freetype.cpp)
    target_include_directories(posiscope_imgui SYSTEM PUBLIC
        ${imgui} ${imgui}/backends ${imgui}/misc/cpp ${imgui}/misc/freetype)
    target_compile_definitions(posiscope_imgui PUBLIC
        IMGUI_USE_WCHAR32 IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
    target_compile_features(posiscope_imgui PUBLIC cxx_std_20)
    target_compile_options(posiscope_imgui PRIVATE -w)
    # ImGui's backend draws through our loader: its own wants libOpenGL when the program runs.
    set_source_files_properties(${imgui}/backends/imgui_impl_opengl3.cpp PROPERTIES
        COMPILE_DEFINITIONS IMGUI_IMPL_OPENGL_LOADER_CUSTOM
        COMPILE_OPTIONS "-include;glad/gl.h")
    target_link_libraries(posiscope_imgui PUBLIC glfw Freetype::Freetype posiscope::glad ${CMAKE_DL_LIBS})
endif()
add_library(posiscope::imgui ALIAS posiscope_imgui)

# --- Tests and benchmarks --------------------------------------------------------------------------------

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

if(POSISCOPE_BENCHES)
    find_package(benchmark QUIET CONFIG)
    if(NOT TARGET benchmark::benchmark)
        posiscope_fetch(benchmark
            URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
            SHA256 6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce
            OPTIONS BENCHMARK_ENABLE_TESTING=OFF BENCHMARK_ENABLE_INSTALL=OFF BENCHMARK_ENABLE_WERROR=OFF)
    endif()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/ui/fonts.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ui/embed.cmake)
