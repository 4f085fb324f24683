# The page: the window's sources without the command line, and app/web, linked to build/web/parts. publish.py makes of them what a
# server gets.

file(GLOB_RECURSE window_sources CONFIGURE_DEPENDS app/*.cpp)
# The program's own: the command line, its platform, films and vector files.
set(vector_only "/app/(canvas/vector/.*|export/vector|workbench/share/vector_picture)\\.cpp$")
set(vector_sources ${window_sources})
list(FILTER vector_sources INCLUDE REGEX "${vector_only}")
list(FILTER window_sources EXCLUDE REGEX "${vector_only}")
list(FILTER window_sources EXCLUDE REGEX
     "/app/(commands|platform/desktop|platform/windows|web)/|/app/export/(film|icon)\\.cpp$|/app/workbench/teach/handout\\.cpp$|/app/main\\.cpp$")
add_library(posiscope_window STATIC ${window_sources})
target_link_libraries(posiscope_window PUBLIC posiscope_core posiscope::imgui posiscope::glad posiscope::qrcodegen PNG::PNG
                                              Freetype::Freetype
                                       PRIVATE posiscope_options)
target_compile_definitions(posiscope_window PUBLIC POSISCOPE_VERSION="${PROJECT_VERSION}")
target_precompile_headers(posiscope_window PRIVATE ${precompiled_headers} <imgui.h>)
file(GLOB page_sources CONFIGURE_DEPENDS app/web/*.cpp)
add_executable(posiscope_page ${page_sources})
target_link_libraries(posiscope_page PRIVATE posiscope_window posiscope_options)
target_precompile_headers(posiscope_page REUSE_FROM posiscope_window)

# PDF and SVG: a module of its own, with Cairo, which a worker fetches when it is first asked for (page.js).
include(app/canvas/vector/cairo/cairo.cmake)
add_executable(posiscope_vector app/web/vector/main.cpp ${vector_sources})
target_link_libraries(posiscope_vector PRIVATE posiscope_window posiscope_options posiscope_cairo)
target_precompile_headers(posiscope_vector REUSE_FROM posiscope_window)
set_target_properties(posiscope_vector PROPERTIES OUTPUT_NAME vector RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/parts/vector
                      LINK_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/vector/worker.js;${CMAKE_CURRENT_LIST_DIR}/library.js")
target_link_options(posiscope_vector PRIVATE
    -Oz -sUSE_WEBGL2=1 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864
    -sENVIRONMENT=worker -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS -sEXPORTED_FUNCTIONS=_main,_malloc,_free
    -sNO_DYNAMIC_EXECUTION=1 --js-library ${CMAKE_CURRENT_LIST_DIR}/library.js --pre-js ${CMAKE_CURRENT_LIST_DIR}/vector/worker.js)
add_dependencies(posiscope_page posiscope_vector)

set_property(SOURCE ${kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -O3)
# The names of ImGui's own widgets, for screen readers.
target_compile_definitions(posiscope_imgui PRIVATE IMGUI_ENABLE_TEST_ENGINE)
unity_build(posiscope_window ${app_rooms})

# Beside the program, until somebody needs them: results of the experiment, Chinese, and what no English text of ours shows.
file(GLOB late CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/assets ${PROJECT_SOURCE_DIR}/assets/experiments/*.json)
list(APPEND late strings/zh.json)
file(GLOB_RECURSE said CONFIGURE_DEPENDS assets/*.json core/*.cpp core/*.hpp app/*.cpp app/*.hpp)
set(shown ${PROJECT_BINARY_DIR}/fonts/shown.txt)
add_custom_command(OUTPUT ${shown}
    COMMAND ${POSISCOPE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/shown.py ${shown} ${said}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/shown.py ${said} COMMENT "Listing the characters that a page shows" VERBATIM)
set(posiscope_fonts)
# The small letters beside the small figures are not shown: FreeType's hinter aligns such figures with them.
set(small U+02B0,U+02B2,U+02B3,U+02B8,U+02E2,U+02E3,U+1D31,U+1D34,U+1D38,U+1D3C,U+1D40,U+1D41,U+1D47-1D49,U+1D4D,U+1D4F,U+1D52,U+1D56,U+1D62-1D6A,U+2C7C)
set(few --text-file=${shown} --unicodes=U+0020-007E,U+00A0-00FF,U+0391-03C9,U+2070-209F,${small})
posiscope_font(few_text.ttf Roboto-Regular.ttf fonts-roboto-unhinted ${few})
posiscope_font(few_strong.ttf Roboto-Medium.ttf fonts-roboto-unhinted ${few})
posiscope_font(few_formula.ttf DejaVuSerif-Italic.ttf fonts-dejavu-extra ${few})
posiscope_font(few_formula_upright.ttf DejaVuSerif.ttf fonts-dejavu-core ${few})
posiscope_font(few_symbols.ttf DejaVuSans.ttf fonts-dejavu-core ${few})
posiscope_font(few_cjk.otf NotoSansCJK-Regular.ttc fonts-noto-cjk --font-number=2 --text=中京人北咬我文爱狗…、。“”)
list(TRANSFORM posiscope_fonts REPLACE "^fonts/few_" "fonts/")
posiscope_embed_assets(posiscope_page EXCEPT ${late}) # the second module gets them from the page
set(beside ${PROJECT_BINARY_DIR}/parts)
set(fonts ${PROJECT_BINARY_DIR}/fonts)
add_custom_target(posiscope_beside
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${fonts}/cjk.otf ${beside}/fonts/chinese.otf
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${fonts}/symbols.ttf ${beside}/fonts/all_symbols.ttf
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${PROJECT_SOURCE_DIR}/assets/strings/zh.json ${beside}/strings/zh.json
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/assets/experiments ${beside}/experiments
    COMMAND ${CMAKE_COMMAND} -E rm -f ${beside}/experiments/README.md
    DEPENDS ${fonts}/cjk.otf ${fonts}/symbols.ttf VERBATIM)
file(MAKE_DIRECTORY ${beside}/fonts ${beside}/strings)
add_dependencies(posiscope_page posiscope_beside)
set(exported _main,_malloc,_free)
set_target_properties(posiscope_page PROPERTIES OUTPUT_NAME posiscope RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/parts
                      LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library.js)
target_link_options(posiscope_page PRIVATE
    -Oz -sUSE_WEBGL2=1 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864
    -sENVIRONMENT=web -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8 -sEXPORTED_FUNCTIONS=${exported}
    -sNO_DYNAMIC_EXECUTION=1  --js-library ${CMAKE_CURRENT_LIST_DIR}/library.js)
