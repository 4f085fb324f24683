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
{ "$cmake" -S "$place" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix" -DCMAKE_CXX_COMPILER="$compiler" &&
    "$cmake" --build "$place/build"; } >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
said=$("$place/build/ten_lines")
echo "$said"
# 13 · 10000^(−20/128)
[ "$said" = "64 pairs, phase 3.0827858173601519" ] || { echo "that is not what core says"; exit 1; }
# Nothing of the tree travels along: no path, no flag, no header of the rooms above.
! grep -rlF -e "$tree" -e Werror "$place/prefix/lib/cmake" "$place/prefix/include" ||
    { echo "these name the source tree or its flags"; exit 1; }
! grep -rl '#include "\(core\|app\)/' "$place/prefix/include" || { echo "these include by the tree's names"; exit 1; }
