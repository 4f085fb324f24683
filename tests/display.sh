# shellcheck shell=sh
# display.sh — for the tests of the window: a display of their own, the program on it, and patience. Sourced, with $program set.
work=$(mktemp -d)
export HOME="$work" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config" LANG=C.UTF-8
unset LC_ALL WAYLAND_DISPLAY
cd "$work" || exit 1

xvfb=
posiscope=
clear_away() {
    for process in $posiscope $xvfb; do kill "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clear_away EXIT
fail() { echo "$*"; exit 1; }
# Waits until a command is true: a busy machine is slow, not wrong.
until_true() {
    for _ in $(seq 600); do "$@" && return 0; sleep 0.1; done
    return 1
}
# display 1280x800: a free number, told by the server itself. It does not reset when its last client leaves, or the next
# client may find it closed for that moment. What it shows is $work/screen/Xvfb_screen0.
display() {
    rm -f "$work/display"
    mkdir -p "$work/screen"
    Xvfb -displayfd 3 -noreset -screen 0 "$1x24" -fbdir "$work/screen" 3>"$work/display" >"$work/xvfb.log" 2>&1 &
    xvfb=$!
    until_true [ -s "$work/display" ] || fail "no display came: $(cat "$work/xvfb.log")"
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}
is_shown() {
    kill -0 "$posiscope" 2>/dev/null || fail "the window did not open: $(cat "$work/said")"
    window=$(xdotool search --onlyvisible --name '^Posiscope$' 2>/dev/null | head -n 1)
    [ -n "$window" ]
}
start() {
    "$program" "$@" 2>"$work/said" &
    posiscope=$!
    until_true is_shown || fail "no window came"
}
stop() {
    xdotool key ctrl+q
    for _ in $(seq 600); do kill -0 "$posiscope" 2>/dev/null || break; sleep 0.1; done
    kill -0 "$posiscope" 2>/dev/null && fail "Ctrl Q does not close the window"
    wait "$posiscope" || fail "closing ended with an error: $(cat "$work/said")"
    posiscope=
}
# The scene as the program itself gives it, over the session file that every step is kept in.
session() { cat "$XDG_STATE_HOME/posiscope/session.json"; }
position() { session 2>/dev/null | tr -d ' \n' | sed 's/.*"position":\([0-9]*\).*/\1/'; }
at_position() { [ "$(position)" = "$1" ]; }
