# What is installed beside the program, and the packages: cmake --install build/release, or cpack in build/release.
# The manual page, the completions and the icons are written by the program itself (posiscope manual), while installing.
include(GNUInstallDirs)

set(POSISCOPE_URL "" CACHE STRING "The project's address, for the metadata that software centres read")
set(POSISCOPE_CONTACT "The Posiscope authors <authors@posiscope.invalid>" CACHE STRING "Who answers for the packages")
set(POSISCOPE_RELEASE_DATE "2026-11-24" CACHE STRING "The day of this version, for the same metadata")
set(POSISCOPE_METAINFO_URL "")
if(POSISCOPE_URL)
    set(POSISCOPE_METAINFO_URL "  <url type=\"homepage\">${POSISCOPE_URL}</url>\n")
endif()
set(app_id org.posiscope.Posiscope)
configure_file(app/package/${app_id}.metainfo.xml.in ${PROJECT_BINARY_DIR}/package/${app_id}.metainfo.xml @ONLY)

install(FILES app/package/${app_id}.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/package/${app_id}.metainfo.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
install(FILES app/package/${app_id}.mime.xml RENAME ${app_id}.xml
        DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT program)

# --- What the program writes of itself -------------------------------------------------------------------

if(NOT CMAKE_CROSSCOMPILING)
    install(CODE "set(posiscope \"$<TARGET_FILE:posiscope>\")\nset(data \"${CMAKE_INSTALL_DATADIR}\")\nset(id ${app_id})"
            COMPONENT program)
    install(CODE [=[
        function(write kind path)
            set(to "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${data}/${path}")
            get_filename_component(folder "${to}" DIRECTORY)
            file(MAKE_DIRECTORY "${folder}")
            execute_process(COMMAND "${posiscope}" manual ${kind} --lang en ${ARGN} -o "${to}" COMMAND_ERROR_IS_FATAL ANY)
            list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/${data}/${path}")
            set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
        endfunction()
        write(page man/man1/posiscope.1)
        write(page man/zh_CN/man1/posiscope.1 --lang zh)
        write(bash bash-completion/completions/posiscope)
        write(zsh zsh/vendor-completions/_posiscope)
        write(fish fish/vendor_completions.d/posiscope.fish)
        write(icon icons/hicolor/scalable/apps/${id}.svg)
        foreach(size 16 24 32 48 64 128 256)
            write(icon icons/hicolor/${size}x${size}/apps/${id}.png --pixels ${size})
        endforeach()
        find_program(gzip gzip)
        if(gzip)
            foreach(page man/man1/posiscope.1 man/zh_CN/man1/posiscope.1)
                execute_process(COMMAND ${gzip} -9nf "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${data}/${page}"
                                COMMAND_ERROR_IS_FATAL ANY)
            endforeach()
            list(TRANSFORM CMAKE_INSTALL_MANIFEST_FILES APPEND .gz REGEX "/posiscope\\.1$")
        endif()
    ]=] COMPONENT program)
endif()

# --- Licences --------------------------------------------------------------------------------------------

# Of everything that is inside the program file, as the packages it was built from state them.
install(CODE "set(doc \"${CMAKE_INSTALL_DATADIR}/doc/posiscope\")\nset(source \"${PROJECT_SOURCE_DIR}\")
set(imgui \"${FETCHCONTENT_SOURCE_DIR_IMGUI}\")\nset(version ${PROJECT_VERSION})
set(contact \"${POSISCOPE_CONTACT}\")\nset(day ${POSISCOPE_RELEASE_DATE})" COMPONENT program)
install(CODE [=[
    set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${doc}")
    file(MAKE_DIRECTORY "${folder}")
    file(READ "${source}/app/package/copyright" text)
    file(READ "${source}/LICENSE" licence)
    string(APPEND text "\n======== Posiscope ========\n\n${licence}")
    foreach(part "Dear ImGui=${imgui}/LICENSE.txt" "glad=/usr/share/doc/python3-glad/copyright"
            "JSON for Modern C++=/usr/share/doc/nlohmann-json3-dev/copyright" "CLI11=/usr/share/doc/libcli11-dev/copyright"
            "tl::expected=/usr/share/doc/libexpected-dev/copyright" "Eigen=/usr/share/doc/libeigen3-dev/copyright"
            "Highway=/usr/share/doc/libhwy-dev/copyright"
            "QR Code generator=/usr/share/doc/libqrcodegencpp-dev/copyright" "Roboto=/usr/share/doc/fonts-roboto-unhinted/copyright"
            "Noto Sans CJK=/usr/share/doc/fonts-noto-cjk/copyright" "DejaVu=/usr/share/doc/fonts-dejavu-core/copyright")
        string(REGEX REPLACE "=.*" "" name "${part}")
        string(REGEX REPLACE "^[^=]*=" "" file "${part}")
        if(EXISTS "${file}")
            file(READ "${file}" licence)
            string(APPEND text "\n======== ${name} ========\n\n${licence}")
        else()
            message(STATUS "Posiscope: the licence of ${name} is not at ${file}; add it before giving the package away")
        endif()
    endforeach()
    file(WRITE "${folder}/copyright" "${text}")
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/${doc}/copyright")
    find_program(gzip gzip)
    find_program(date date)
    if(gzip AND date)
        execute_process(COMMAND ${date} -uRd ${day} OUTPUT_VARIABLE written OUTPUT_STRIP_TRAILING_WHITESPACE)
        file(WRITE "${folder}/changelog.Debian" "posiscope (${version}-1) unstable; urgency=medium\n
  * Version ${version}; what changed stands in changelog.gz.\n
 -- ${contact}  ${written}\n")
        file(COPY_FILE "${source}/CHANGELOG.md" "${folder}/changelog")
        execute_process(COMMAND ${gzip} -9nf "${folder}/changelog" "${folder}/changelog.Debian"
                        COMMAND_ERROR_IS_FATAL ANY)
        foreach(log changelog changelog.Debian)
            list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/${doc}/${log}.gz")
        endforeach()
    endif()
]=] COMPONENT program)

# --- Packages --------------------------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME posiscope)
set(CPACK_PACKAGE_VENDOR "The Posiscope authors")
set(CPACK_PACKAGE_CONTACT "${POSISCOPE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visualizer for the positional encodings of Transformers")
set(CPACK_PACKAGE_DESCRIPTION "Posiscope draws the rotations, encoding matrices and attention scores of
positional encodings, linked to one another, while position, offset and width
are changed. It has lessons and judged claims in English and Chinese, reads
the config.json of models, and writes images, animations, data and code.")
set(CPACK_PACKAGE_HOMEPAGE_URL "${POSISCOPE_URL}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Opened as the program runs: the window's OpenGL, and drawing without a window.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libegl1, libgl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, wl-clipboard | xclip, zenity | kdialog")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
