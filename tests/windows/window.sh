#!/bin/sh
# The window under Wine, driven with xdotool as tests/window_test.sh drives Linux's: posiscope.exe opens it without a console; a
# dragged slider, typed keys, pictures, an export by another process, the dialogs for files, words and pictures by the clipboard, a
# dropped file, closing, a second start that finds the session, also after a kill, and the end of the system's session.
#   window.sh WINE FOLDER_OF_THE_PROGRAMS WORK
set -eu
wine=$1 programs=$2 work=$3
root=$PWD
person=$WINEPREFIX/drive_c/users/$(id -un)
state=$person/AppData/Local/Posiscope
rm -rf "$state" "$person/AppData/Roaming/Posiscope"
mkdir -p "$person/Documents" "$work/here"
cd "$work/here"

fail() {
    echo "FAILED: $*"
    [ -z "${LOOK-}" ] || import_screen failed
    exit 1
}
# A screenshot of the display, as people see it.
import_screen() { [ -z "${LOOK-}" ] || ! command -v ffmpeg >/dev/null || ffmpeg -v error -y -f x11grab -i "$DISPLAY" -frames:v 1 "$LOOK/wine-$1.png" </dev/null || true; }
posiscope=
cleanup() {
    [ -z "$posiscope" ] || for program in posiscope.com posiscope-dialog.exe; do "$wine" taskkill /f /im $program >/dev/null 2>&1 || true; done
}
trap cleanup EXIT
until_true() {
    for _ in $(seq 600); do "$@" && return 0; sleep 0.1; done
    return 1
}
start() { start_by "$programs/posiscope.exe" "$@"; }
start_by() { # PROGRAM WORDS...
    "$wine" "$@" >"$work/said" 2>&1 &
    posiscope=$!
    window=
    for _ in $(seq 900); do
        window=$(xdotool search --onlyvisible --name '^Posiscope$' 2>/dev/null | head -n 1) && [ -n "$window" ] && break
        kill -0 "$posiscope" 2>/dev/null || fail "the window did not open: $(cat "$work/said")"
        sleep 0.1
    done
    [ -n "$window" ] || fail "no window came"
    xdotool windowmove "$window" 0 0 windowfocus "$window"
    sleep 2
}
stop() {
    xdotool key ctrl+q
    until_true ended || fail "Ctrl Q does not close the window"
    wait "$posiscope" || fail "closing ended with an error: $(cat "$work/said")"
    posiscope=
}
ended() { ! kill -0 "$posiscope" 2>/dev/null; }
position() { cat "$state/session.json" 2>/dev/null | tr -d ' \n' | sed 's/.*"position":\([0-9]*\).*/\1/'; }
at_position() { [ "$(position)" = "$1" ]; }
saved=$person/Pictures
mkdir -p "$saved"
find "$saved/" -maxdepth 1 -name 'posiscope-*' -exec rm {} +
pictures() { [ "$(find "$saved/" -maxdepth 1 -name 'posiscope-*.png' | wc -l)" = "$1" ]; }
drag() {
    xdotool mousemove "$1" "$2"; sleep 0.2
    xdotool mousedown 1; sleep 0.2
    xdotool mousemove "$3" "$4"; sleep 0.2
    xdotool mousemove $(($3 + 1)) "$4"; sleep 0.2
    xdotool mouseup 1; sleep 0.6
}

start
dragged() { moved=$(position) && [ "${moved:-0}" -gt 25 ] && [ "$moved" -lt 50 ]; }
drag_it() { drag 40 158 150 158; dragged; }  # as in tests/window_test.sh
until_true drag_it || fail "dragging the position slider gave position ${moved-}"
import_screen dragged
xdotool key F12
until_true pictures 1 || fail "F12 wrote no picture"
xdotool key Right
until_true at_position $((moved + 1)) || fail "the right arrow gave position $(position)"
xdotool key ctrl+e; sleep 2
import_screen export
xdotool key Return
until_true pictures 2 || fail "Ctrl E and Enter wrote no picture"
xdotool key ctrl+z
until_true at_position "$moved" || fail "undo gave position $(position)"
stop
echo "ok: dragged to $moved, F12, the right arrow, an export by another process, undo, closed"

start
xdotool key Right
until_true at_position $((moved + 1)) || fail "the session was not found again: position $(position)"
echo '{"position": 77}' >"$work/here/scene.json"
windows_path() { "$wine" winepath -w "$1" 2>/dev/null | tr -d '\r'; }
asked() { asks=$(xdotool search --onlyvisible --name "^$1" 2>/dev/null | head -n 1) && [ -n "$asks" ]; }
# Types a path into the dialog of this name, which another program shows.
answer() { # TITLE PATH
    until_true asked "$1" || fail "no dialog is called $1"
    sleep 2
    xdotool windowfocus "$asks" # there is no window manager
    sleep 1
    xdotool key ctrl+a
    xdotool type --delay 60 "$2"
    import_screen "dialog-$1"
    xdotool key Return
}
xdotool key ctrl+o
answer Open "$(windows_path "$work/here/scene.json")"
until_true at_position 77 || fail "Ctrl O and the dialog gave position $(position)"
stop
echo "ok: a second start with the session, and a file by Windows' dialog"

start
xdotool key ctrl+s
answer Save "$(windows_path "$work/here")\\kept.json"
kept() { grep -q '"position": *77' "$work/here/kept.json" 2>/dev/null; }
until_true kept || fail 'the dialog for saving wrote no scene'
echo '{"position": 21}' >"$work/here/落下 1.json"
"$root/tests/drop.py" "$window" "$work/here/落下 1.json" || fail 'the dropped file was not taken'
until_true at_position 21 || fail "the dropped file gave position $(position)"
echo "ok: a scene saved by the dialog, a dropped file"

# Windows' clipboard and the display's are one under Wine: words from another program, and the picture for another one.
printf '{"position": 5, "bench": "attention"}' >"$work/here/words.json"
"$root/tests/drop.py" "$window" "$work/here/words.json"
until_true at_position 5 || fail "the second dropped file gave position $(position)"
printf '狗 咬 人' | xclip -selection clipboard
paste_words() {
    xdotool mousemove 380 165; sleep 0.3
    xdotool mousedown 1; sleep 0.2
    xdotool mouseup 1; sleep 0.6
    xdotool key ctrl+a; sleep 0.3
    xdotool key ctrl+v; sleep 0.6
    xdotool key Return; sleep 0.5
    grep -q '狗' "$state/session.json"
}
until_true paste_words || fail 'the words of the clipboard are not in the scene'
import_screen words
xdotool mousemove 700 500; sleep 0.5
xdotool key ctrl+shift+c
# Until it has another owner, xclip gives its words for whatever is asked.
copied() { # KIND ITS_FIRST_LETTERS
    xclip -selection clipboard -t "image/$1" -o >"$work/copied.$1" 2>/dev/null && head -c 4 "$work/copied.$1" | grep -aq "$2"
}
until_true copied png PNG || fail 'no PNG is on the clipboard'
until_true copied bmp ^BM || fail 'no bitmap is on the clipboard'
if command -v ffmpeg >/dev/null; then
    ffmpeg -v error -y -i "$work/copied.png" -f rawvideo -pix_fmt rgb24 "$work/rows" </dev/null
    python3 - "$work/copied.bmp" "$work/rows" <<'END' || fail 'the bitmap is not the picture'
import struct
import sys

bitmap, rows = (open(name, "rb").read() for name in sys.argv[1:])
at, width, height, bits = struct.unpack("<I4xII2xH", bitmap[10:30])  # blue, green, red and alpha, the last row first
lines = b"".join(bitmap[at + y * width * 4:at + (y + 1) * width * 4] for y in reversed(range(height)))
sys.exit(bits != 32 or len(rows) != width * height * 3 or any(lines[2 - i::4] != rows[i::3] for i in range(3)))
END
    [ -z "$LOOK" ] || cp "$work/copied.png" "$LOOK/wine-copied.png"
fi
stop
echo "ok: 狗咬人 by the clipboard, a picture as PNG and as a bitmap"

start
xdotool key Right Right
until_true at_position 7 || fail "the right arrow gave position $(position)"
"$wine" taskkill /f /im posiscope.com >/dev/null 2>&1 || fail 'there is no program to kill'
until_true ended || fail 'posiscope.exe goes on without its program'
posiscope=
start
xdotool key Right
until_true at_position 8 || fail "after the kill the session was not found: position $(position)"
stop
echo "ok: killed, and started again where it was"

# The system's session ends a third of a second after a change, which is before it would be saved.
start_by "$programs/posiscope.com"
xdotool key Right
sleep 0.3
"$wine" wineboot --end-session >/dev/null 2>&1 || true
until_true ended || fail 'the program outlives the session'
code=0
wait "$posiscope" || code=$?
# The last byte of STATUS_CONTROL_C_EXIT, as after Ctrl C.
[ $code = 58 ] || fail "the end of the session ended it with $code: $(cat "$work/said")"
posiscope=
at_position 9 || fail "the end of the session left position $(position)"
[ ! -s "$state/session.opening" ] || fail 'the session is taken for a broken one'
echo "ok: saved at the end of the system's session"

# By the command that "Open with" starts, where that is registered. Wine's own `start` sees no classes of one person.
echo '{"position": 33}' >"$work/here/狗咬人.json"
if [ -e "$programs/uninstall.exe" ]; then
    opener=$("$wine" reg query 'HKCU\Software\Classes\Posiscope.File\shell\open\command' /ve | tr -d '\r' |
        sed -n 's/.*REG_SZ *"\(.*\)" "%1"$/\1/p')
    [ -n "$opener" ] || fail '"Open with" is not registered'
    start_by "$opener" "$(windows_path "$work/here/狗咬人.json")"
else
    start "狗咬人.json"
fi
import_screen opened
xdotool key Right # what is only looked at is not kept
until_true at_position 34 || fail "opening a file gave position $(position)"
stop
echo "ok: a file whose name is Chinese, opened by $([ -e "$programs/uninstall.exe" ] && echo '"Open with"' || echo posiscope.exe)"
