#!/bin/sh
# app/setup in every situation that a real machine would need a reinstallation to bring about: its tools are
# replaced by stubs on a PATH of their own, so nothing is installed and nothing is fetched.
# shellcheck disable=SC2016 # what stands in single quotes is for the stubs
set -u
checkout=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
root="$place/a clone with spaces"
tools=$place/tools
failures=0

stub() { # name, then its script
    rm -f "$tools/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
    chmod +x "$tools/$1"
}

# A machine where all is well: root, every package installed, Dear ImGui unpacked.
healthy() {
    rm -rf "$root" "$tools"
    mkdir -p "$root/app" "$root/build/deps/imgui" "$tools"
    cp "$checkout/app/setup" "$checkout/app/dependencies.cmake" "$root/app/"
    echo '#define IMGUI_VERSION_NUM   19222' >"$root/build/deps/imgui/imgui.h"
    for tool in sh env dirname sed mkdir tr head sort grep rm mv timeout sha256sum; do
        ln -s "$(command -v $tool)" "$tools/$tool"
    done
    stub true ''
    stub id 'echo 0'
    stub dpkg-query 'for name; do echo "ii $name"; done'
    stub apt-get 'echo "$DEBIAN_FRONTEND $*" >>"'"$place"'/apt"'
    stub apt-cache 'exit 0'
    stub git 'exit 128'
    stub cmake 'echo cmake version 3.25.1'
    stub ninja ''
    stub c++ ''
    : >"$place/apt"
}

# run STATUS WORDS [arguments]: app/setup ends with STATUS and says WORDS; errors are one line.
run() {
    status=$1 words=$2
    shift 2
    (cd / && PATH=$tools CXX='' "$root/app/setup" "$@") >"$place/out" 2>"$place/err"
    got=$?
    if [ $got != "$status" ] || ! { [ -z "$words" ] || cat "$place/out" "$place/err" | grep -q -e "$words"; } ||
        [ "$(wc -l <"$place/err")" -gt 1 ]; then
        echo "FAILED: $situation: expected status $status and \"$words\", got status $got and"
        sed 's/^/    /' "$place/out" "$place/err"
        failures=$((failures + 1))
    else
        echo "ok: $situation"
    fi
}

situation='nothing missing: silent'
healthy && run 0 '' && run 0 '' --tests
[ ! -s "$place/out" ] || { echo 'FAILED: it said something' && failures=$((failures + 1)); }

situation='two packages missing: a line for each, no questions, nothing recommended'
healthy && stub dpkg-query 'for name; do case $name in libfmt-dev | cmake) ;; *) echo "ii $name" ;; esac; done'
run 0 '^Installing libfmt-dev: numbers and text$'
if ! grep -q '^noninteractive .*install --yes --no-install-recommends cmake libfmt-dev$' "$place/apt"; then
    echo 'FAILED: apt-get got:' && cat "$place/apt" && failures=$((failures + 1))
fi

situation='a package that the distribution does not have is left to CMake'
stub apt-cache 'case $* in *libfmt-dev) exit 100 ;; esac'
run 0 'Not in this distribution: libfmt-dev'

situation='the tools alone'
healthy && stub dpkg-query 'exit 1'
run 0 '^Installing clang-tidy-14: ' --tools
if ! grep -q 'install --yes --no-install-recommends clang-tidy-14 gcovr dpkg-dev lintian patchelf mandoc desktop-file-utils appstream$' "$place/apt"; then
    echo 'FAILED: apt-get got:' && cat "$place/apt" && failures=$((failures + 1))
fi

situation='a user without sudo'
healthy && stub id 'echo 1000' && stub dpkg-query 'exit 1'
run 1 'sudo is not here or asks for a password; as root, run: apt-get install .* g++ cmake'

situation='a user whose sudo asks for a password'
stub sudo 'exit 1'
run 1 'sudo is not here or asks for a password'

situation='a user with sudo'
stub sudo 'shift; exec "$@"'
run 0 '^Installing g++: the compiler$'

situation='the registry does not answer, no package lists'
healthy && stub dpkg-query 'exit 1' && stub apt-cache 'exit 100'
stub apt-get 'echo "E: Failed to fetch http://mirror.invalid/ Could not resolve" >&2; exit 100'
run 1 'the package registry does not answer; check the network'

situation='the registry does not answer, old package lists'
stub apt-cache 'exit 0'
run 1 'the package registry does not answer; check the network'

situation='apt cannot install'
stub apt-get 'case $* in *install*) echo "E: Unmet dependencies." >&2; exit 100 ;; esac'
run 1 'apt could not install the packages: Unmet dependencies.'

situation='neither GitHub nor Debian gives Dear ImGui'
healthy && rm -r "$root/build/deps/imgui"
run 1 'Dear ImGui 1.92 cannot be fetched'

situation='Dear ImGui that is too old is replaced'
healthy && echo '#define IMGUI_VERSION_NUM 18600' >"$root/build/deps/imgui/imgui.h"
stub git 'case $1 in init) echo "#define IMGUI_VERSION_NUM 19300" >"$3/imgui.h" ;; esac'
run 0 'Note: this is version 19300'
grep -q 19300 "$root/build/deps/imgui/imgui.h" || { echo 'FAILED: not replaced' && failures=$((failures + 1)); }

situation='no compiler'
healthy && rm "$tools/c++"
run 1 'c++ is missing: install CMake 3.25, Ninja and g++ 12 or clang 14'

situation='CMake of Ubuntu 22.04'
healthy && stub cmake 'echo cmake version 3.22.1'
run 1 'CMake is too old: 3.25 or later is needed'

situation='a newer CMake'
stub cmake 'echo cmake version 4.0.3'
run 0 ''

situation='no apt: the list, and on to CMake'
healthy && rm "$tools/apt-get"
run 0 'There is no apt here. Posiscope needs what Debian calls: g++ cmake'

situation='an unknown option'
healthy
run 2 'usage: app/setup \[--tests | --tools | --web | --windows\]' --test

# The real one, unable to install anything; it comes after a build, so nothing should be missing.
if command -v dpkg-query >/dev/null && [ -e "$checkout/build/deps/imgui/imgui.h" ]; then
    stub id 'echo 1000'
    stub sudo 'exit 1'
    PATH=$place/stubs:$PATH
    mkdir "$place/stubs" && mv "$tools/id" "$tools/sudo" "$place/stubs/"
    "$checkout/app/setup" || { echo 'FAILED: the real app/setup' && failures=$((failures + 1)); }
fi

echo "$failures failed"
[ $failures = 0 ]
