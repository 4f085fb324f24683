#!/bin/sh
# The window under Wine, driven with xdotool as tests/window_test.sh drives Linux's: posiscope.exe opens it without a console; a
# dragged slider, typed keys, pictures, an export by another process, the dialog for files, closing, and a second start that
# finds the session.     window.sh WINE FOLDER_OF_THE_PROGRAMS WORK
set -eu
wine=$1 programs=$2 work=$3
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
start() {
    "$wine" "$programs/posiscope.exe" "$@" >"$work/said" 2>&1 &
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
dragged() { moved=$(position) && [ "${moved:-0}" -gt 40 ] && [ "$moved" -lt 100 ]; }
drag_it() { drag 40 217 150 217; dragged; }
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
path=$("$wine" winepath -w "$work/here/scene.json" 2>/dev/null | tr -d '\r')
xdotool key ctrl+o
dialog() { asks=$(xdotool search --onlyvisible --name '^Open' 2>/dev/null | head -n 1) && [ -n "$asks" ]; }
until_true dialog || fail "Ctrl O opened no dialog"
sleep 2
xdotool windowfocus "$asks" # there is no window manager
sleep 1
xdotool type --delay 60 "$path"
import_screen dialog
xdotool key Return
until_true at_position 77 || fail "Ctrl O and the dialog gave position $(position)"
stop
echo "ok: a second start with the session, and a file by Windows' dialog"

echo '{"position": 33}' >"$work/here/狗咬人.json"
start "狗咬人.json"
until_true at_position 33 || fail "a file named on the command line gave position $(position)"
import_screen opened
stop
echo "ok: a file whose name is Chinese, opened by posiscope.exe"
