# Emscripten's own toolchain file, wherever em++ is installed.
find_program(POSISCOPE_EMXX em++ REQUIRED)
get_filename_component(emscripten "${POSISCOPE_EMXX}" REALPATH)
get_filename_component(emscripten "${emscripten}" DIRECTORY)
include(${emscripten}/cmake/Modules/Platform/Emscripten.cmake)
# Debian's build needs its own modules for JavaScript, whichever node runs it.
if(EXISTS /usr/share/nodejs)
    set(ENV{NODE_PATH} /usr/share/nodejs)
endif()
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
# Exceptions of the browser's own; libpng's and FreeType's setjmp then needs the same. Everything is compiled alike.
set(web_options "-msimd128 -fwasm-exceptions -sSUPPORT_LONGJMP=wasm")
set(CMAKE_C_FLAGS_INIT "${web_options}")
set(CMAKE_CXX_FLAGS_INIT "${web_options} -fno-rtti")
