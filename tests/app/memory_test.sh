#!/bin/sh
# Whatever a file holds, reading it and drawing it takes less than half a gigabyte of memory: memory_test.sh PROGRAM
set -eu
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export LC_ALL=C.UTF-8 HOME="$work"
most=524288 # KiB; a thread for each of many processors has a small stack, which counts
fail() { echo "$*"; exit 1; }
# within WORDS COMMAND...: it says the words, or nothing where there are none.
within() {
    words=$1
    shift
    code=0
    (ulimit -s 2048 && ulimit -d $most && exec "$@") >out 2>said </dev/null || code=$?
    if [ -z "$words" ]; then [ $code = 0 ] || fail "$*: ended with $code, saying $(head -c 500 said)"
    else { [ $code = 1 ] || [ $code = 2 ]; } && grep -q -e "$words" said || fail "$*: ended with $code, saying $(head -c 500 said)"; fi
}
many() { yes "$1" | head -n "$2" | tr -d '\n'; } # WORDS TIMES

{ printf '{"view": {"a": ['; many 0, 20000000; printf '0]}}'; } >numbers.json
{ printf '{"view": {"a": ['; many '{"a":1},' 7000000; printf '0]}}'; } >objects.json
{ printf '{"content": {"kind": "tokens", "text": "'; many 'a ' 30000000; printf '"}}'; } >words.json
{ printf '{"model_type": "llama", "a": ['; many '[],' 5000000; printf '0]}'; } >config.json
for file in numbers objects; do within MB "$program" data frequencies -s $file.json; done
within 'words.json' "$program" data frequencies -s words.json
within MB "$program" data frequencies --model ./config.json
within 'larger than the limit' "$program" render --lesson ./numbers.json -o out.pdf

echo '{"encoding": "rope", "d_model": 65536, "num_heads": 16, "length": 2147483647, "position": 1000000000}' >rope.json
echo '{"d_model": 65536, "length": 2147483647, "position": 2000000000, "offset": 100000000}' >long.json
echo '{"encoding": "transformer_xl", "d_model": 4096, "num_heads": 16, "length": 100000}' >wide.json
for figure in $("$program" list figures | sed 's/ .*//'); do
    for scene in rope long wide; do within '' "$program" render -s $scene.json --figure "$figure" --size 320x200 -o out.svg; done
done
echo 'less than half a gigabyte'
