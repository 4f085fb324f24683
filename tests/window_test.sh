#!/bin/sh
# The real window under Xvfb, driven with xdotool: the position slider is dragged and the picture changes; typed
# values, undo, a screenshot, a dropped file and closing work; a second start finds the session again.
# window_test.sh PROGRAM
set -eu
program=$1
tests=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$tests/display.sh"
display 1280x800
pictures() { [ "$(find "$work" -maxdepth 1 -name 'posiscope-*.png' | wc -l)" = "$1" ]; }
drag() {
    xdotool mousemove "$1" "$2"; sleep 0.1
    xdotool mousedown 1; sleep 0.1
    xdotool mousemove "$3" "$4"; sleep 0.1
    xdotool mousemove $(($3 + 1)) "$4"; sleep 0.1
    xdotool mouseup 1; sleep 0.4
}

begin() {
    start "$@"
    xdotool windowmove "$window" 0 0 windowfocus "$window"
    sleep 1
}
begin
# The first start has few clocks. The position slider is the second control of the rail; its track lies between x = 20 and 260.
dragged() { moved=$(position) && [ "${moved:-0}" -gt 25 ] && [ "$moved" -lt 50 ]; }
# A window that is not drawn yet takes no mouse: the hand tries again.
drag_it() { drag 40 158 150 158; dragged; }
until_true drag_it || fail "dragging the position slider gave position $moved"
width() { session | tr -d ' \n' | sed 's/.*"d_model":\([0-9]*\).*/\1/'; }
has_width() { [ "$(width)" = "$1" ]; }
has_width 16 || fail "the first start has d_model $(width)"
xdotool key w
until_true has_width 512 || fail "W gave d_model $(width)"
xdotool key w
until_true has_width 16 || fail "W again gave d_model $(width)"

# A screenshot before and after a change: the picture is another one.
xdotool key F12
until_true pictures 1 || fail "F12 wrote no picture"
xdotool key Right
until_true at_position $((moved + 1)) || fail "the right arrow gave position $(position)"
xdotool key F12
until_true pictures 2 || fail "F12 wrote no second picture"
set -- "$work"/posiscope-*.png
cmp -s "$1" "$2" && fail "the picture did not change with the position"

# The export dialog: Enter writes the bench, by another process, while this one goes on.
xdotool key ctrl+e; sleep 2
xdotool key Return
until_true pictures 3 || fail "Ctrl E and Enter wrote no picture"

xdotool key ctrl+z
until_true at_position "$moved" || fail "undo gave position $(position)"

# Larger words: a point is more than a pixel, and the mouse still is where it is. The timeline has the position then.
xdotool key ctrl+equal; sleep 1
dragged_back() { now=$(position) && [ "$now" -gt 5 ] && [ "$now" -lt 20 ]; }
drag_it_back() { drag 700 767 300 767; dragged_back; }
until_true drag_it_back || fail "dragging the timeline of larger words gave position $now"
moved=$now
xdotool key ctrl+minus; sleep 1
stop

# Ctrl O asks the desktop's dialog, for which this one stands in; the file is opened, and read again once it changes.
mkdir "$work/bin"
printf '#!/bin/sh\necho "%s"\n' "$work/scene.json" >"$work/bin/zenity"
chmod +x "$work/bin/zenity"
echo '{"position": 77}' >"$work/scene.json"
PATH="$work/bin:$PATH"
# Started again, it opens where it was left.
begin
xdotool key Right
until_true at_position $((moved + 1)) || fail "the session was not found again: position $(position)"
xdotool key ctrl+o
until_true at_position 77 || fail "Ctrl O and the dialog gave position $(position)"
echo '{"position": 78}' >"$work/scene.json"
xdotool key ctrl+r
until_true at_position 78 || fail "the changed file was not read again: position $(position)"
if command -v python3 >/dev/null; then
    mkfifo "$work/pipe.json" # which nobody writes to
    "$tests/drop.py" "$window" "$work/pipe.json" || fail 'the window takes no dropped file'
    echo '{"position": 55}' >"$work/落下 1.json"
    "$tests/drop.py" "$window" "$work/落下 1.json" || fail 'the window takes no dropped file'
    until_true at_position 55 || fail "the dropped file gave position $(position)"
fi
stop
# On one monitor, too, the lecturer's page is a second window, until it is closed or presenting ends.
windows() { [ "$(xdotool search --onlyvisible --name '^Posiscope$' 2>/dev/null | wc -l)" = "$1" ]; }
begin
xdotool key F5; sleep 1
xdotool key ctrl+n
until_true windows 2 || fail "Ctrl N opened no second window"
page=$(xdotool search --onlyvisible --name '^Posiscope$' | grep -v "^$window\$")
xdotool windowfocus "$page"; sleep 1
xdotool key ctrl+n
until_true windows 1 || fail "Ctrl N in the second window did not close it"
xdotool windowfocus "$window" key ctrl+n
until_true windows 2 || fail "Ctrl N opened it only once"
escape() {  # again: a window that has just come takes no keys
    kill -0 "$posiscope" 2>/dev/null || fail "presenting ended the program: $(cat "$work/said")"
    xdotool key Escape; sleep 0.3; windows 1
}
until_true escape || fail "the second window stays after presenting"
stop
# A session that ended the program before it was drawn is set aside.
state=$XDG_STATE_HOME/posiscope
[ ! -s "$state/session.opening" ] || fail "a window that was closed in order left $state/session.opening"
echo 1 >"$state/session.opening"
begin
until_true [ -s "$state/session-damaged-1.json" ] || fail "the session was not set aside"
grep -q '"position": \(78\|55\)' "$state/session-damaged-1.json" || fail "what was set aside is not the session"
until_true [ ! -s "$state/session.opening" ] || fail "the picture was drawn, and $state/session.opening is still there"
stop
echo "the window was driven: position $moved by dragging, undo, screenshots, session, a file by the dialog and one dropped"
