# The page: the window's sources without the command line, and app/web, linked to static files in build/web/page.

file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS app/*.cpp)
# The program's own: the command line, its platform, films and vector files.
list(FILTER page_sources EXCLUDE REGEX
     "/app/(commands|platform/desktop|canvas/vector)/|/app/export/(film|icon|vector)\\.cpp$|/app/workbench/(handout|vector_picture)\\.cpp$|/app/main\\.cpp$")
add_executable(posiscope_page ${page_sources})
target_link_libraries(posiscope_page PRIVATE posiscope_core posiscope::imgui posiscope::glad posiscope::qrcodegen
                                             PNG::PNG Freetype::Freetype
                                             posiscope_options)
target_compile_definitions(posiscope_page PRIVATE POSISCOPE_VERSION="${PROJECT_VERSION}")
target_precompile_headers(posiscope_page PRIVATE ${precompiled_headers} <imgui.h>)

# Beside the program, until somebody needs them: results of the experiment, and all Chinese but what English shows.
file(GLOB results CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/assets ${PROJECT_SOURCE_DIR}/assets/experiments/*.json)
list(FILTER posiscope_fonts EXCLUDE REGEX "^fonts/cjk.otf=")
posiscope_font(few.otf NotoSansCJK-Regular.ttc fonts-noto-cjk --font-number=2 --text=中京人北咬我文爱狗…、。“”)
string(REPLACE "fonts/few.otf=" "fonts/cjk.otf=" posiscope_fonts "${posiscope_fonts}")
posiscope_embed_assets(posiscope_page EXCEPT ${results})
set(beside ${PROJECT_BINARY_DIR}/page)
add_custom_target(posiscope_beside
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${PROJECT_BINARY_DIR}/fonts/cjk.otf ${beside}/fonts/chinese.otf
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/assets/experiments ${beside}/experiments
    COMMAND ${CMAKE_COMMAND} -E rm -f ${beside}/experiments/README.md
    DEPENDS ${PROJECT_BINARY_DIR}/fonts/cjk.otf VERBATIM)
file(MAKE_DIRECTORY ${beside}/fonts)
add_dependencies(posiscope_page posiscope_beside)
set(exported _main,_malloc,_free)
set_target_properties(posiscope_page PROPERTIES OUTPUT_NAME posiscope RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/page
                      LINK_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/library.js)
target_link_options(posiscope_page PRIVATE
    -O2 -sUSE_WEBGL2=1 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=67108864
    -sENVIRONMENT=web -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=FS,UTF8ToString,stringToUTF8,lengthBytesUTF8 -sEXPORTED_FUNCTIONS=${exported}
    -sNO_DYNAMIC_EXECUTION=1  --js-library ${CMAKE_CURRENT_LIST_DIR}/library.js)
foreach(file IN ITEMS index.html page.css page.js)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/${file} ${PROJECT_BINARY_DIR}/page/${file} COPYONLY)
endforeach()
