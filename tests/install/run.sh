#!/bin/sh
# Installs core into a folder of its own and builds a program against it, outside the tree: run.sh CMAKE BUILD COMPILER
set -eu
cmake=$1 build=$2 compiler=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# Whoever names no build type: what is precompiled does not disturb Eigen.
tree=$(dirname -- "$(dirname -- "$here")")
{ "$cmake" -S "$tree" -B "$place/plain" -G Ninja -DPOSISCOPE_APP=OFF -DPOSISCOPE_TESTS=OFF -DCMAKE_CXX_COMPILER="$compiler" &&
    "$cmake" --build "$place/plain" --target CMakeFiles/posiscope_core.dir/core/attention/head.cpp.o; } >"$place/log" 2>&1 ||
    { cat "$place/log"; exit 1; }
"$cmake" --install "$build" --prefix "$place/prefix" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
cp "$here/CMakeLists.txt" "$here/main.cpp" "$place"
# It stands in the manual as it is here.
for language in en zh; do
    page=$tree/assets/manual/$language/12-cpp.md
    sed -n '/^```cpp$/,/^```$/p' "$page" | grep -v '^```' | cmp - "$here/main.cpp" || { echo "$page has another program"; exit 1; }
    sed -n '/^```cmake$/,/^```$/p' "$page" | grep -v '^```' >"$place/stands"
    grep -vxFf "$here/CMakeLists.txt" "$place/stands" && { echo "$page has another CMakeLists.txt"; exit 1; }
done
{ "$cmake" -S "$place" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix" -DCMAKE_CXX_COMPILER="$compiler" &&
    "$cmake" --build "$place/build"; } >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
# The same by pkg-config.
PKG_CONFIG_PATH="$place/prefix/lib/pkgconfig"
export PKG_CONFIG_PATH
"$compiler" -std=c++20 ${CXXFLAGS:-} "$here/main.cpp" -o "$place/by_pkg_config" \
    "-DPOSISCOPE_STRINGS=\"$(pkg-config --variable=strings posiscope)\"" $(pkg-config --cflags --libs --static posiscope)
for made in build/frequencies by_pkg_config; do
    said=$("$place/$made")
    echo "$said"
    # 13 · 10000^(−20/128)
    [ "$said" = "64 pairs, phase 3.0827858173601519" ] || { echo "that is not what core says"; exit 1; }
    refused=$("$place/$made" '{"encodng": "rope"}') && { echo "a wrong key is taken"; exit 1; }
    case $refused in
        "There is no key encodng; the nearest is encoding."*) ;;
        *) echo "a Problem is told as: $refused"; exit 1 ;;
    esac
done
# Nothing of the tree travels along: no path, no flag, no header of the rooms above.
! grep -rlF -e "$tree" -e Werror "$place/prefix/lib/cmake" "$place/prefix/include" ||
    { echo "these name the source tree or its flags"; exit 1; }
! grep -rl '#include "\(core\|app\)/' "$place/prefix/include" || { echo "these include by the tree's names"; exit 1; }
