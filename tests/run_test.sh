#!/bin/sh
# tests/run with every tool replaced by a stub: what it calls exists, it fails when a test fails, names it, and tries
# once more by itself what failed; it says what did not run, and why.
# shellcheck disable=SC2016 # what stands in single quotes is for the stubs
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
root="$place/a clone with spaces"
failures=0

stub() { # FILE SCRIPT
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
# situation FIRST AGAIN: how the tests end, and those that failed when run again: "pass", or the name of one that fails.
situation() {
    rm -rf "$root"
    mkdir -p "$root/app" "$root/build" "$root/tests/alone" "$root/tests/web" "$root/tests/windows" "$place/tools"
    cp "$checkout/tests/run" "$root/tests/"
    stub "$root/app/setup" ''
    stub "$root/tests/alone/run" 'echo alone >>"$CALLS"'
    stub "$root/tests/web/run" 'echo page >>"$CALLS"'
    stub "$root/tests/windows/run" 'echo "windows $*" >>"$CALLS"'
    stub "$place/tools/cmake" 'echo "cmake $*" >>"$CALLS"'
    stub "$place/tools/ctest" 'echo "ctest $*" >>"$CALLS"
case $* in *--rerun-failed*) end='"$2"' ;; *) end='"$1"' ;; esac
case $end in
pass) echo "100% tests passed, 0 tests failed out of 2" ;;
skip) printf "100%% tests passed, 0 tests failed out of 2\n\nThe following tests did not run:\n\t  9 - jupyter (Skipped)\n" ;;
*) printf "50%% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  7 - %s (Failed)\n" "$end" && exit 8 ;;
esac'
    : >"$place/calls"
}
# run STATUS WORDS ABSENT [arguments]
run() {
    status=$1 words=$2 absent=$3
    shift 3
    (cd / && CALLS=$place/calls PATH=$place/tools:$PATH "$root/tests/run" "$@") >"$place/out" 2>&1
    got=$?
    if [ $got != "$status" ] || ! grep -q -e "$words" "$place/out" || grep -q -e "$absent" -e 'not found' "$place/out"; then
        echo "FAILED: tests/run $*: expected status $status and \"$words\", not \"$absent\"; got status $got and"
        sed 's/^/    /' "$place/out"
        failures=$((failures + 1))
    fi
}
called() { # TIMES WORDS
    [ "$(grep -c -e "$2" "$place/calls")" = "$1" ] && return
    echo "FAILED: expected $1 calls of \"$2\", got"
    sed 's/^/    /' "$place/calls"
    failures=$((failures + 1))
}

situation pass pass
run 0 '^release: 100% tests passed' unsteady
called 1 '^ctest --preset release'
called 0 rerun

situation pass pass
run 0 '^asan-core: 100% tests passed' unsteady --all
for preset in release asan-core clang; do called 1 "^ctest --preset $preset"; done
called 1 '^cmake --build --preset clang --target test_app'
called 0 tsan
called 1 '^alone'
called 1 '^page'
called 1 '^windows commands window$'

situation pass pass
run 0 '^asan: 100% tests passed' unsteady --memory
called 0 tsan

situation pass pass
run 0 '^tsan: 100% tests passed' unsteady --threads -R Jobs
called 1 '^ctest --preset tsan .* -R Jobs$'
for words in release asan '^alone' '^page' '^windows'; do called 0 "$words"; done

situation pass pass
run 0 '^dev: 100% tests passed' unsteady --fast
called 1 '^cmake --build --preset dev --target test_core test_app test_figures$'
called 1 '^ctest --preset dev .* -L fast\$$'
for words in release asan '^alone' '^page' '^windows'; do called 0 "$words"; done

situation Jobs.Stop Jobs.Stop
run 1 '^    Jobs.Stop (Failed)' unsteady --threads

situation pass pass
run 0 '^release: 100% tests passed' unsteady -R 'two words'
called 1 '^ctest --preset release .* -R two words$'

situation skip pass
mkdir -p "$root/build/release/Testing/Temporary"
printf '8/9 Test: others\nfine\n<end of output>\n9/9 Test: jupyter\nOutput:\nwithout ipykernel\n<end of output>\n' \
    >"$root/build/release/Testing/Temporary/LastTest.log"
run 0 '^did not run: jupyter, without ipykernel$' unsteady

situation Scene.Reads Scene.Reads
run 1 '^    Scene.Reads (Failed)' unsteady
called 1 '^ctest --preset release --rerun-failed'

situation Scene.Reads pass
run 0 '^    Scene.Reads (Failed)' '^failed'
grep -q '^unsteady' "$place/out" || { echo 'FAILED: it does not say what was unsteady' && failures=$((failures + 1)); }

[ $failures = 0 ] || exit 1
echo 'tests/run does what it says'
