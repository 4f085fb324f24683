cmake_minimum_required(VERSION 3.25)
# Writes the header that names the commit a program was built from; only when it changes, so that nothing is built anew.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude "*" --abbrev=8
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
    set(commit "")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define POSISCOPE_COMMIT \"@commit@\"\n" @ONLY)
