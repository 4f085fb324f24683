# What the program links and embeds besides core's libraries, found as core/dependencies.cmake says.
#
# Targets      posiscope::glad  posiscope::imgui  Freetype::Freetype  PNG::PNG  posiscope::qrcodegen, and for the desktop
#              those of platform/desktop/dependencies.cmake
# Functions    posiscope_embed(target name=file ...)    posiscope_embed_assets(target)

enable_language(C ASM)

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
    # FT_DISABLE_ZLIB leaves FreeType's own copy in, whose names are those of the zlib that libpng brings.
    if(TARGET posiscope_zlib)
        target_compile_definitions(freetype PRIVATE FT_CONFIG_OPTION_SYSTEM_ZLIB)
        target_link_libraries(freetype PRIVATE $<BUILD_INTERFACE:posiscope_zlib>)
    endif()
    if(EMSCRIPTEN) # a page brings what it needs
        target_compile_definitions(freetype PRIVATE "FT_CONFIG_OPTIONS_H=<posiscope_options.h>"
                                                    "FT_CONFIG_MODULES_H=<posiscope_modules.h>")
        target_include_directories(freetype PRIVATE ${CMAKE_CURRENT_LIST_DIR}/web/freetype)
    endif()
    if(NOT TARGET Freetype::Freetype)
        add_library(Freetype::Freetype ALIAS freetype)
    endif()
endif()

find_program(POSISCOPE_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # another may stand before the system's
find_program(POSISCOPE_PYTHON NAMES python3 python)
mark_as_advanced(POSISCOPE_PYTHON)

find_path(POSISCOPE_QRCODEGEN_INCLUDE qrcodegen/qrcodegen.hpp)
find_library(POSISCOPE_QRCODEGEN_LIBRARY NAMES libqrcodegencpp.a qrcodegencpp) # static: nothing that must travel along
mark_as_advanced(POSISCOPE_QRCODEGEN_INCLUDE POSISCOPE_QRCODEGEN_LIBRARY)
if(POSISCOPE_QRCODEGEN_INCLUDE AND POSISCOPE_QRCODEGEN_LIBRARY)
    add_library(posiscope_qrcodegen INTERFACE)
    target_include_directories(posiscope_qrcodegen SYSTEM INTERFACE ${POSISCOPE_QRCODEGEN_INCLUDE})
    target_link_libraries(posiscope_qrcodegen INTERFACE ${POSISCOPE_QRCODEGEN_LIBRARY})
else()
    posiscope_fetch(qrcodegen SUBDIR none
        URL https://github.com/nayuki/QR-Code-generator/archive/refs/tags/v1.8.0.tar.gz
        SHA256 2ec0a4d33d6f521c942eeaf473d42d5fe139abcfa57d2beffe10c5cf7d34ae60)
    FetchContent_GetProperties(qrcodegen SOURCE_DIR source)
    configure_file(${source}/cpp/qrcodegen.hpp ${CMAKE_BINARY_DIR}/qrcodegen/qrcodegen/qrcodegen.hpp COPYONLY)
    add_library(posiscope_qrcodegen STATIC ${source}/cpp/qrcodegen.cpp)
    target_include_directories(posiscope_qrcodegen SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/qrcodegen)
    target_compile_options(posiscope_qrcodegen PRIVATE -w)
endif()
add_library(posiscope::qrcodegen ALIAS posiscope_qrcodegen)

if(EMSCRIPTEN)
    # A browser's OpenGL needs no loader; glad/gl.h includes its header.
    add_library(posiscope_glad INTERFACE)
    target_include_directories(posiscope_glad SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/web/gl)
    add_library(posiscope::glad ALIAS posiscope_glad)
else()
    include(${CMAKE_CURRENT_LIST_DIR}/platform/desktop/dependencies.cmake)
endif()

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
        ${imgui}/imgui_widgets.cpp ${imgui}/backends/imgui_impl_opengl3.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp
        ${imgui}/misc/freetype/imgui_freetype.cpp)
    target_include_directories(posiscope_imgui SYSTEM PUBLIC
        ${imgui} ${imgui}/backends ${imgui}/misc/cpp ${imgui}/misc/freetype)
    target_compile_definitions(posiscope_imgui PUBLIC
        IMGUI_USE_WCHAR32 IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
    # The benchmarks measure beside its demo.
    set_source_files_properties(${imgui}/imgui_demo.cpp PROPERTIES
        COMPILE_DEFINITIONS "$<$<NOT:$<BOOL:${POSISCOPE_BENCHES}>>:IMGUI_DISABLE_DEMO_WINDOWS>")
    target_compile_features(posiscope_imgui PUBLIC cxx_std_20)
    target_compile_options(posiscope_imgui PRIVATE -w $<$<CONFIG:Release>:-O2>)
    # ImGui's backend draws through our loader: its own wants libOpenGL when the program runs.
    set_source_files_properties(${imgui}/backends/imgui_impl_opengl3.cpp PROPERTIES
        COMPILE_DEFINITIONS "IMGUI_IMPL_OPENGL_LOADER_CUSTOM;$<$<PLATFORM_ID:Emscripten>:IMGUI_IMPL_OPENGL_ES3>"
        COMPILE_OPTIONS "-include;glad/gl.h")
    target_link_libraries(posiscope_imgui PUBLIC Freetype::Freetype posiscope::glad ${CMAKE_DL_LIBS})
    if(NOT EMSCRIPTEN)
        target_sources(posiscope_imgui PRIVATE ${imgui}/backends/imgui_impl_glfw.cpp)
        target_link_libraries(posiscope_imgui PUBLIC glfw)
    endif()
endif()
add_library(posiscope::imgui ALIAS posiscope_imgui)

include(${CMAKE_CURRENT_LIST_DIR}/ui/fonts.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ui/embed.cmake)
