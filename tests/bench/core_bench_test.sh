#!/bin/sh
# The benchmark starts, has every name, and no kernel exceeds its error bound. Times are not judged.
# Outside of run-time dispatch, the kernels use only instructions of x86-64-v2.
# core_bench_test.sh CORE_BENCH
set -eu
out=$("$1" --benchmark_min_time=0.0001 2>/dev/null) || { printf '%s\n' "$out"; echo 'core_bench failed'; exit 1; }
for name in pe_table/65536x1024 pe_table/2048x512 rope/32x4096x128 attention/2048x128 relative_logits/2048 \
    experiment_step/none experiment_step/sinusoidal experiment_step/learned experiment_step/t5 experiment_step/alibi \
    experiment_step/kerple experiment_step/shaw experiment_step/xpos experiment_step/rope; do
    for threads in 1 2; do
        printf '%s\n' "$out" | grep -q "^$name/threads:$threads .*max_error=.* of_floor=" ||
            { printf '%s\n' "$out"; echo "core_bench does not report $name/threads:$threads"; exit 1; }
    done
done

[ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null || exit 0
objdump -d --no-show-raw-insn "$1" | awk '
    /^[0-9a-f]+ </ { name = $2 }
    /\tv[a-z0-9]+ +.*%[xyz]mm/ { if (name ~ /N_AVX[23]/) asked = 1; else if (!(name in bad)) { bad[name]; print "AVX in", name; failed = 1 } }
    END { if (!asked) print "no function for AVX: was it left out?"; exit failed || !asked }'
