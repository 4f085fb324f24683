#!/bin/sh
# Outside of run-time dispatch the program uses only instructions of x86-64-v2: instructions_test.sh PROGRAM
set -eu
[ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null || exit 0
objdump -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ </ { name = $2 }
    /\tv[a-z0-9]+ +.*%[xyz]mm/ { if (name ~ /N_AVX[23]/) asked = 1; else if (!(name in bad)) { bad[name]; print "AVX in", name; failed = 1 } }
    END { if (!asked) print "no function for AVX: was it left out?"; exit failed || !asked }'
