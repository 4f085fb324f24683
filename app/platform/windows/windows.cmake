# The programs for Windows. A program is of the console or of the desktop: the one would open a console with the window, the
# other has nothing to write to where it is called as a command. So `posiscope` is posiscope.com, which a command line prefers,
# and posiscope.exe, which the desktop starts, starts that without a console.
set(manifest ${CMAKE_CURRENT_LIST_DIR}/posiscope.manifest)
set(icon ${PROJECT_BINARY_DIR}/windows/posiscope.ico)
configure_file(${CMAKE_CURRENT_LIST_DIR}/posiscope.rc.in ${PROJECT_BINARY_DIR}/windows/posiscope.rc @ONLY)
add_custom_command(OUTPUT ${icon}
    COMMAND ${POSISCOPE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/icon.py ${PROJECT_SOURCE_DIR}/app/web/shell/icon.png ${icon}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/icon.py ${PROJECT_SOURCE_DIR}/app/web/shell/icon.png
    COMMENT "Writing the icon" VERBATIM)
add_custom_target(posiscope_icon DEPENDS ${icon})
set_source_files_properties(${PROJECT_BINARY_DIR}/windows/posiscope.rc PROPERTIES OBJECT_DEPENDS "${icon};${manifest}")
enable_language(RC)

# posiscope_resources(target): the icon, the version, and that text is UTF-8.
function(posiscope_resources target)
    target_sources(${target} PRIVATE ${PROJECT_BINARY_DIR}/windows/posiscope.rc)
    add_dependencies(${target} posiscope_icon)
endfunction()

posiscope_resources(posiscope)
set_target_properties(posiscope PROPERTIES SUFFIX .com)

add_executable(posiscope_launcher WIN32 ${CMAKE_CURRENT_LIST_DIR}/launcher/main.cpp)
set_target_properties(posiscope_launcher PROPERTIES OUTPUT_NAME posiscope)
add_executable(posiscope_dialog WIN32 ${CMAKE_CURRENT_LIST_DIR}/dialog/main.cpp)
set_target_properties(posiscope_dialog PROPERTIES OUTPUT_NAME posiscope-dialog)
target_link_libraries(posiscope_dialog PRIVATE ole32 uuid)
foreach(program posiscope_launcher posiscope_dialog)
    target_link_libraries(${program} PRIVATE posiscope_options)
    target_link_options(${program} PRIVATE -municode)
    posiscope_resources(${program})
    add_dependencies(posiscope ${program})
endforeach()
