#!/bin/sh
# What the fuzzers begin with, and what they have found so far (found/NAME), once through each of them.
# replay_test.sh REPLAY PYTHON
set -eu
replay=$1
python=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" "$here/seeds.py" "$work/seeds"
for source in "$here"/*.cpp; do
    name=$(basename "$source" .cpp)
    set -- "$work/seeds/$name"
    [ ! -d "$here/found/$name" ] || set -- "$@" "$here/found/$name"
    "$replay" "$name" "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }
    tail -n 1 "$work/log"
done
