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

# A B that is too much is refused as an A is; a curve goes a billion points out of the page.
echo '{"compare": {"encoding": "transformer_xl", "num_heads": 64, "d_model": 8192, "head_dim": 1024},
       "view": {"attention": {"mode": "joined"}}}' >joined.json
within '' "$program" render -s joined.json --figure attention --size 320x200 -o out.svg
echo '{"length": 300, "view": {"scores": {"mode": "weight", "beside": ["base=500000", "length=2147483647"]}}}' >far.json
within '' "$program" render -s far.json --figure scores --size 320x200 -o out.svg

# bounded COMMAND...: it ends, or says in a sentence why not, or works for a minute; never for want of memory.
bounded() {
    code=0
    (ulimit -s 2048 && ulimit -d $most && exec timeout 60 "$@") >out 2>said </dev/null || code=$?
    case $code in 0 | 1 | 124) ;; *) fail "$*: ended with $code, saying $(head -c 500 said)" ;; esac
    ! grep -q 'not enough memory' said || fail "$*: had not enough memory"
}
# In every mode of the figures that hold tables, and of all data that takes memory by length and width.
echo '{"encoding": "rope", "d_model": 65536, "num_heads": 1, "length": 100000}' >modes.json
for figure in matrix attention terms; do
    "$program" render -s modes.json --figure $figure --set view.$figure.mode=none -o out.svg 2>said && fail "$figure has a mode none"
    modes=$(sed -n 's/.*Use one of: \(.*\)\./\1/p' said | tr -d ,)
    [ -n "$modes" ] || fail "no modes in $(cat said)"
    for mode in $modes; do bounded "$program" render -s modes.json --figure $figure --set view.$figure.mode=$mode --size 320x200 -o out.svg; done
done
echo '{"encoding": "rope", "d_model": 8192, "num_heads": 1, "length": 16384, "content": "seeded"}' >data.json
for quantity in phase cache locality gram attention expansion; do bounded "$program" data $quantity -s data.json -o out.npy; done

# shard FILE NAME SHAPE BYTES: an array behind a header whose values are nearly as many as are read, and take 38 MiB when kept.
shard() {
    { printf '{"%s": {"dtype": "F32", "shape": %s, "data_offsets": [0, %d]}, "z": [' "$2" "$3" "$4"; many '"",' 1300000; printf '0]}'; } >header
    size=$(wc -c <header)
    {
        for byte in 0 1 2 3 4 5 6 7; do printf "\\$(printf %o $((size >> 8 * byte & 255)))"; done
        cat header
        head -c "$4" /dev/zero
    } >"$1"
}
map=
for side in q k; do
    for array in "proj.weight [8,8] 256" "proj.bias [8] 32" "norm.weight [4] 16" "norm.bias [4] 16"; do
        set -- $array
        name=model.layers.0.self_attn.${side}_$1
        shard $side.$1.safetensors $name $2 $3
        map="$map, \"$name\": \"$side.$1.safetensors\""
    done
done
printf '{"weight_map": {%s}}' "${map#, }" >model.safetensors.index.json
echo '{"encoding": "rope", "d_model": 8, "num_heads": 2, "head_dim": 4, "length": 8,
       "content": {"kind": "checkpoint", "file": "model.safetensors.index.json", "norm": "layer", "head_dim": 4}}' >shards.json
most=262144 # of one header at a time there is room: all eight take 424 MiB
within '' "$program" render -s shards.json --figure attention --size 320x200 -o out.svg
echo 'less than half a gigabyte'
