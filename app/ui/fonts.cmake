# The fonts, cut to what Posiscope writes, from the fonts that are installed; none is kept in the repository.
# Gives posiscope_fonts, the list of name=file that posiscope_embed takes.
#
#   fonts/text.ttf             Roboto Regular        the interface; its figures are tabular by default
#   fonts/strong.ttf           Roboto Medium         headlines
#   fonts/cjk.otf              Noto Sans CJK SC      Chinese: GB 2312 level 1, and all that assets/ use
#   fonts/formula.ttf          DejaVu Serif Italic   variables
#   fonts/formula_upright.ttf  DejaVu Serif          digits, functions, operators
#   fonts/symbols.ttf          DejaVu Sans           arrows, marks, what the others lack

set(POSISCOPE_FONT_DIR "" CACHE PATH "Where to look first for the font files, subfolders included")

find_program(POSISCOPE_PYFTSUBSET pyftsubset PATHS /usr/bin NO_DEFAULT_PATH) # as with glad: by path first
find_program(POSISCOPE_PYFTSUBSET pyftsubset)
mark_as_advanced(POSISCOPE_PYFTSUBSET)
if(NOT POSISCOPE_PYFTSUBSET OR NOT POSISCOPE_PYTHON)
    message(FATAL_ERROR "pyftsubset, which cuts the fonts, is missing: install fonttools "
                        "(Debian, Ubuntu) or run pip install fonttools.")
endif()

# posiscope_find_font(variable file package): the file's path, searched once and kept in the cache.
function(posiscope_find_font variable file package)
    if(EXISTS "${${variable}}")
        return()
    endif()
    foreach(folder IN ITEMS "${POSISCOPE_FONT_DIR}" /usr/share/fonts /usr/local/share/fonts
                            "$ENV{HOME}/.local/share/fonts" "$ENV{HOME}/.fonts" "$ENV{HOME}/Library/Fonts"
                            /Library/Fonts /opt/homebrew/share/fonts "$ENV{WINDIR}/Fonts")
        if(IS_DIRECTORY "${folder}")
            file(GLOB_RECURSE found "${folder}/${file}")
            if(found)
                list(GET found 0 found)
                set(${variable} "${found}" CACHE FILEPATH "${file}" FORCE)
                mark_as_advanced(${variable})
                return()
            endif()
        endif()
    endforeach()
    message(FATAL_ERROR "The font ${file} is missing: install ${package} (Debian, Ubuntu), or name a folder "
                        "that has it with -DPOSISCOPE_FONT_DIR=FOLDER.")
endfunction()

# posiscope_font(name file package options...): cuts one font with pyftsubset and adds it to posiscope_fonts.
function(posiscope_font name file package)
    string(MAKE_C_IDENTIFIER "POSISCOPE_FONT_${file}" variable)
    posiscope_find_font(${variable} ${file} ${package})
    set(output ${CMAKE_BINARY_DIR}/fonts/${name})
    set(inputs "${${variable}}")
    foreach(option IN LISTS ARGN)
        if(option MATCHES "^--text-file=(.+)")
            list(APPEND inputs "${CMAKE_MATCH_1}")
        endif()
    endforeach()
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${POSISCOPE_PYFTSUBSET} "${${variable}}" --output-file=${output}
                --layout-features= --no-hinting --no-glyph-names --drop-tables+=DSIG,FFTM ${ARGN}
        DEPENDS ${inputs}
        COMMENT "Cutting ${name} from ${file}"
        VERBATIM)
    set(posiscope_fonts ${posiscope_fonts} fonts/${name}=${output} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fonts)
file(GLOB_RECURSE texts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/*.json ${CMAKE_SOURCE_DIR}/assets/*.md)
add_custom_command(
    OUTPUT ${CMAKE_BINARY_DIR}/fonts/cjk.txt
    COMMAND ${POSISCOPE_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/glyphs.py ${CMAKE_BINARY_DIR}/fonts/cjk.txt ${texts}
    DEPENDS ${CMAKE_CURRENT_LIST_DIR}/glyphs.py ${texts}
    COMMENT "Listing the Chinese characters"
    VERBATIM)

# Latin with its first extension, Greek, punctuation, super- and subscripts, currency, letter-like, arrows,
# operators, brackets. The bold, script and double-struck alphabets of U+1D400 stay out: no text uses them.
set(latin U+0020-007E,U+00A0-017F,U+0192,U+02B0-02FF)
set(greek U+0370-03FF)
set(marks U+1D2C-1D6A,U+2000-200A,U+2010-205E,U+2070-209F,U+20AC,U+2100-214F,U+2150-218F,U+2C7C)
set(operators U+2190-21FF,U+2200-22FF,U+2308-230B,U+27E8-27EB,U+2A00-2A0C)
set(shapes U+2300-23FF,U+2460-24FF,U+2500-257F,U+2580-25FF,U+2600-26FF,U+2700-27BF,U+27F0-27FF,U+2900-297F,U+2B00-2B2F)
set(chinese U+00B7,U+2014,U+2018-201D,U+2026,U+3000-301F,U+FF01-FF5E,U+FFE5)

set(posiscope_fonts)
posiscope_font(text.ttf Roboto-Regular.ttf fonts-roboto-unhinted
               --unicodes=${latin},${greek},${marks},${operators})
posiscope_font(strong.ttf Roboto-Medium.ttf fonts-roboto-unhinted
               --unicodes=${latin},${greek},${marks},${operators})
posiscope_font(formula.ttf DejaVuSerif-Italic.ttf fonts-dejavu-extra
               --unicodes=${latin},${greek},${marks},${operators})
posiscope_font(formula_upright.ttf DejaVuSerif.ttf fonts-dejavu-core
               --unicodes=${latin},${greek},${marks},${operators})
posiscope_font(symbols.ttf DejaVuSans.ttf fonts-dejavu-core
               --unicodes=${latin},${greek},${marks},${operators},${shapes})
# Face 2 of the collection is the Simplified Chinese one.
posiscope_font(cjk.otf NotoSansCJK-Regular.ttc fonts-noto-cjk --font-number=2
               --text-file=${CMAKE_BINARY_DIR}/fonts/cjk.txt --unicodes=${chinese})
