# What the program links and embeds besides core's libraries, found as core/dependencies.cmake says.
#
# Targets      posiscope::glad  posiscope::imgui  glfw  OpenGL::EGL (where there is EGL)  Freetype::Freetype
#              PNG::PNG  CLI11::CLI11  cairo::cairo
# Functions    posiscope_embed(target name=file ...)    posiscope_embed_assets(target)

enable_language(C ASM)

find_package(CLI11 QUIET)
if(NOT TARGET CLI11::CLI11)
    posiscope_fetch(cli11 SUBDIR none
        URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
        SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
    posiscope_headers(CLI11::CLI11 cli11 include)
endif()

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

include(${CMAKE_CURRENT_LIST_DIR}/ui/fonts.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ui/embed.cmake)
