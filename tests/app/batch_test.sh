#!/bin/sh
# Many scenes by one command: every file is written, a failing scene is named, an interruption leaves no unfinished file.
# batch_test.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset LC_ALL; export LANG=C.UTF-8
fail() { echo "$*"; exit 1; }

i=1
while [ $i -le 20 ]; do printf '{"position": %d, "length": 64}' $i >scene$i.json; i=$((i + 1)); done
mkdir out
"$program" data table -o 'out/%s.csv' --set d_model=8 --set pair=0 scene*.json 2>said || fail "the batch failed: $(cat said)"
[ "$(ls out | wc -l)" = 20 ] || fail "20 scenes gave $(ls out | wc -l) files"
[ "$(grep -c ' of 20: out/scene' said)" = 20 ] || fail "not every file was told of: $(cat said)"
grep -q '"position":7' out/scene7.csv || fail "out/scene7.csv is not of scene7.json"

# The same again gives the same bytes.
cp -r out before
"$program" data table -o 'out/%s.csv' --set d_model=8 --set pair=0 --jobs 3 scene*.json 2>said
diff -r before out >diff || fail "another run gave other bytes: $(head -n 3 diff)"

# Nor does the end of whoever reads its lines.
rm -r out; mkdir out
{ "$program" data table -o 'out/%s.csv' --set d_model=8 --set pair=0 --jobs 1 scene*.json 2>&1; echo $? >code; } | true
[ "$(cat code)" = 0 ] || fail "without a reader the batch ended with $(cat code)"
diff -r before out >diff || fail "without a reader: $(head -n 3 diff)"

# A scene that cannot be read does not keep the others back.
rm -r out; mkdir out
echo '{"d_model": 7}' >scene3.json
code=0; "$program" data table -o 'out/%s.json' scene1.json scene2.json scene3.json 2>said || code=$?
[ $code = 1 ] || fail "a failing scene ended with $code"
[ "$(ls out | wc -l)" = 2 ] || fail "the other two were not written"
grep -q 'scene3.json failed' said || fail "the failing scene is not named: $(cat said)"

code=0; "$program" data table -o all.json scene1.json scene2.json 2>said || code=$?
[ $code = 2 ] && grep -q "%s" said || fail "two scenes into one file: $code, $(cat said)"

# A flag is handed on as it was given, also where it is denied.
mkdir far
printf '\223NUMPY\001\000F\000%-69s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (128, 2), }" >far/t.npy
head -c 2048 /dev/zero >>far/t.npy
mkdir named
for i in 1 2; do printf '{"d_model": 2, "pair": 0, "encoding": {"kind": "learned", "table": "%s/far/t.npy"}}' "$work" >named/$i.json; done
for denied in --allow-files=false --allow-files=0; do
    code=0; "$program" data table $denied -o 'out/%s.json' named/1.json named/2.json 2>said || code=$?
    [ $code = 1 ] && [ ! -e out/1.json ] || fail "$denied read what it must not: $code, $(cat said)"
done
"$program" data table --allow-files -o 'out/%s.json' named/1.json named/2.json 2>said || fail "--allow-files: $(cat said)"

# What a scene is called is no number of a picture.
rm -r out; mkdir out
cp scene1.json %d.json; cp scene1.json %03d.json
code=0; "$program" render -o 'out/%s.png' --size 64x48 %d.json scene1.json 2>said || code=$?
[ $code = 2 ] && [ -z "$(ls out)" ] || fail "a scene named %d.json: $code, $(ls out | head -n 3), $(cat said)"
"$program" data table -o 'out/%s.csv' --set d_model=8 --set pair=0 %d.json %03d.json 2>said || fail "$(cat said)"
[ "$(ls out)" = "%03d.csv
%d.csv" ] || fail "two scenes gave $(ls out)"
rm %d.json %03d.json

# Pictures: a book's figures by one command, and a film's as numbered files.
rm -r out; mkdir out
"$program" render -o 'out/%s.pdf' --figure scores --page 80x50mm scene1.json scene2.json 2>said || fail "$(cat said)"
[ "$(ls out)" = "scene1.pdf
scene2.pdf" ] || fail "two PDFs gave $(ls out)"
"$program" render -o 'out/p%03d.png' --figure rotations --size 440x320 --scale 0.5 --over position --from 9 --to 12
[ "$(ls out | grep -c '^p00[0-3].png$')" = 4 ] || fail "four numbered pictures gave $(ls out)"
cp out/p000.png before.png
"$program" render -o 'out/p%03d.png' --figure rotations --size 440x320 --scale 0.5 --over position --from 9 --to 12
cmp before.png out/p000.png || fail "the same picture again has other bytes"
cmp -s out/p000.png out/p001.png && fail "position 9 and 10 look the same"

# Waits for a command to be true: a busy machine is slow, not wrong.
until_true() {
    for _ in $(seq 600); do "$@" && return 0; sleep 0.1; done
    return 1
}
only_scenes() { [ -z "$(ls -A out | grep -v '^scene[0-9]*\.csv$')" ]; }
only_whole_files() { until_true only_scenes; }
nothing_left() { [ -z "$(ls -A out)" ]; }

# Interrupted in the middle: whole files, no others.
rm -r out; mkdir out
echo '{"d_model": 8}' >scene3.json
"$program" data table -o 'out/%s.csv' --set d_model=512 --set length=20000 scene*.json 2>said & batch=$!
for _ in $(seq 600); do ls out/*.csv >/dev/null 2>&1 && break; sleep 0.1; done
kill -INT $batch 2>/dev/null || fail "the batch was over before it could be interrupted"
wait $batch && fail "an interrupted batch ended as if it were done"
only_whole_files || fail "left over: $(ls -A out)"
for file in out/*.csv; do [ "$(wc -l <"$file")" = 20002 ] || fail "$file is not whole"; done

# Killed outright: the copies that it started end too, and clean up behind them.
rm -r out; mkdir out
"$program" data table -o 'out/%s.csv' --set d_model=512 --set length=20000 scene*.json 2>said & batch=$!
copies=
for _ in $(seq 1200); do copies=$(ps -o pid= --ppid $batch) && [ -n "$copies" ] && break; sleep 0.05; done
[ -n "$copies" ] || fail "no copy was started"
kill -KILL $batch
wait $batch 2>/dev/null || true
for _ in $(seq 600); do
    # shellcheck disable=SC2086 # a list of numbers
    kill -0 $copies 2>/dev/null || break
    sleep 0.1
done
# shellcheck disable=SC2086
if kill -0 $copies 2>/dev/null; then fail "copies outlive the program that started them"; fi
only_whole_files || fail "left over: $(ls -A out)"

# A film that is interrupted: the encoder ends before its file is removed.
if command -v ffmpeg >/dev/null; then
    for signal in TERM HUP; do # a shell lets its children ignore the others
        rm -r out; mkdir out
        "$program" render -o out/film.mp4 --figure rotations --size 320x240 --over position --to 4000 --set length=5000 \
            2>said & film=$!
        for _ in $(seq 1200); do encoder=$(ps -o pid=,comm= --ppid $film | awk '$2 == "ffmpeg" { print $1 }') && [ -n "$encoder" ] && break; sleep 0.05; done
        [ -n "$encoder" ] || fail "no encoder was started: $(cat said)"
        sleep 0.3
        kill -$signal $film
        wait $film 2>/dev/null && fail "an interrupted film ended as if it were done"
        if kill -0 "$encoder" 2>/dev/null; then fail "SIG$signal left the encoder running"; fi
        nothing_left || fail "SIG$signal left $(ls -A out)"
    done
fi
