# What the desktop program links besides: the command line, vector files, the window, OpenGL and its loader.
#
# Targets      CLI11::CLI11  cairo::cairo  glfw  OpenGL::EGL (where there is EGL)  posiscope::glad

find_package(CLI11 QUIET)
if(NOT TARGET CLI11::CLI11)
    posiscope_fetch(cli11 SUBDIR none
        URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
        SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a)
    posiscope_headers(CLI11::CLI11 cli11 include)
endif()

# Cairo has no CMake files, of its own or of the packagers', and builds with neither CMake nor little else.
if(WIN32)
    include(${CMAKE_CURRENT_LIST_DIR}/../../canvas/vector/cairo/cairo.cmake)
    add_library(cairo::cairo ALIAS posiscope_cairo)
endif()
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
        OPTIONS GLFW_LIBRARY_TYPE=STATIC GLFW_BUILD_DOCS=OFF GLFW_BUILD_TESTS=OFF GLFW_BUILD_EXAMPLES=OFF GLFW_INSTALL=OFF
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

# By path first: another Python's, without glad, may stand before the system's.
find_program(POSISCOPE_GLAD glad PATHS /usr/bin NO_DEFAULT_PATH)
find_program(POSISCOPE_GLAD glad)
mark_as_advanced(POSISCOPE_GLAD)
if(POSISCOPE_GLAD AND NOT DEFINED POSISCOPE_GLAD_IS_2)
    execute_process(COMMAND ${POSISCOPE_GLAD} --help OUTPUT_VARIABLE help ERROR_QUIET)
    string(FIND "${help}" "--merge" at) # glad 1 could not merge
    if(at GREATER 0)
        set(POSISCOPE_GLAD_IS_2 TRUE CACHE INTERNAL "")
    endif()
endif()
if(POSISCOPE_GLAD_IS_2)
    set(generator ${POSISCOPE_GLAD})
    set(generator_file ${POSISCOPE_GLAD})
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
    set(generator_file ${source}/glad/__init__.py)
endif()
set(glad ${CMAKE_BINARY_DIR}/glad)
# --reproducible: with the specification that came with glad; without it, glad asks the network.
add_custom_command(
    OUTPUT ${glad}/src/gl.c ${glad}/include/glad/gl.h ${glad}/include/KHR/khrplatform.h
    COMMAND ${generator} --api gl:core=3.3 --extensions= --out-path ${glad} --reproducible --quiet c
            > ${CMAKE_BINARY_DIR}/glad.log 2>&1
    DEPENDS ${generator_file}
    COMMENT "Generating the OpenGL 3.3 loader"
    VERBATIM)
add_library(posiscope_glad STATIC ${glad}/src/gl.c ${glad}/include/glad/gl.h)
target_include_directories(posiscope_glad SYSTEM PUBLIC ${glad}/include)
target_compile_options(posiscope_glad PRIVATE -w)
add_library(posiscope::glad ALIAS posiscope_glad)
