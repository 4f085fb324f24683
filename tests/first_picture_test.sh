#!/bin/sh
# The first picture under window managers, which shrink, frame or tile a window while it is mapped: left alone, the screen shows
# what it shows after the picture was drawn anew, and buttons are where they are drawn. Where weston and Xwayland are, also as a
# window of a Wayland compositor.
# first_picture_test.sh PROGRAM [STARTS]: so many under each manager at each size, once unless told
set -eu
program=$1
starts=${2:-1}
tests=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$tests/display.sh"

manager=
end() {
    for process in $posiscope $manager $xvfb; do
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    posiscope='' manager='' xvfb=''
}
trap 'end; clear_away' EXIT
# An i3 without a bar, which would have a clock.
manage() {
    case $1 in
    openbox) openbox >"$work/manager.log" 2>&1 & ;;
    i3) echo '# i3 config file (v4)' >"$work/i3" && i3 -c "$work/i3" >"$work/manager.log" 2>&1 & ;;
    esac
    manager=$!
    until_true is_managed || fail "$1 does not manage: $(cat "$work/manager.log")"
}
# A window manager has told the root window its name.
is_managed() { xdotool get_desktop >/dev/null 2>&1; }
shot() {
    if [ $name = weston ]; then xwd -silent -id "$window" -out "$work/$1.xwd"
    else cp "$work/screen/Xvfb_screen0" "$work/$1.xwd"; fi
}
alike() { cmp -s "$work/$1.xwd" "$work/$2.xwd"; }
# The first picture was drawn, and the screen has not changed for a second.
is_quiet() {
    [ ! -s "$work/state/posiscope/session.opening" ] || return 1
    shot quiet
    sleep 1
    shot now
    alike now quiet
}
has_changed() {
    shot now
    ! alike now first
}
# The same picture when left alone and after it was drawn anew.
compare_first() {
    until_true is_quiet || fail "$name $size: the first picture never rests"
    shot first
    press F1
    until_true has_changed || fail "$name $size: F1 shows nothing"
    press F1
    until_true is_quiet || fail "$name $size: the picture never rests"
    shot again
    all=$((all + 1))
    if alike first again; then equal=$((equal + 1))
    else echo "$name $size: the first picture differs in $(cmp -l "$work/first.xwd" "$work/again.xwd" | wc -l) bytes"; fi
}
press() {
    if [ $name = weston ]; then xdotool key --window "$window" "$1" 2>/dev/null
    else xdotool key "$1"; fi
}
# A headless compositor; its server of X11 begins with the first client.
display_in_weston() { # 1280x800
    mkdir -p -m 700 "$work/run"
    XDG_RUNTIME_DIR=$work/run weston --backend=headless-backend.so --use-pixman --xwayland --socket=posiscope \
        --width="${1%x*}" --height="${1#*x}" >"$work/manager.log" 2>&1 &
    manager=$!
    until_true grep -q 'listening on display' "$work/manager.log" || fail "weston does not start: $(cat "$work/manager.log")"
    DISPLAY=$(sed -n 's/.*listening on display \(:[0-9]*\).*/\1/p' "$work/manager.log")
    export DISPLAY
}
# click X Y: a place in points from the window's lower left corner, as the window is drawn.
click() {
    eval "$(xdotool getwindowgeometry --shell "$window" | grep -e WIDTH -e HEIGHT)"
    # Where not all has room, a point is less than a pixel (smallest_room).
    xdotool mousemove --window "$window" $(awk -v w="$WIDTH" -v h="$HEIGHT" -v x="$1" -v y="$2" 'BEGIN {
        point = w / 1240 < h / 740 ? w / 1240 : h / 740; if (point > 1) point = 1
        printf "%d %d", x * point, h - y * point }')
    sleep 0.3
    xdotool click 1
}
in_lesson() { session 2>/dev/null | grep -q '"kind": "tokens"'; }
has_played() {
    click 30 27 # the timeline's button that plays, and pauses
    sleep 1
    click 30 27
    now=$(position) && [ "${now:-0}" -gt 18 ]
}

equal=0
all=0
for size in 1280x800 1366x768 1024x700; do
    for name in openbox i3; do
        command -v $name >/dev/null || { echo "$name is not here"; exit 77; }
        for _ in $(seq "$starts"); do
            rm -rf "$work/state" "$work/config"
            display $size
            manage $name
            start
            compare_first
            until_true has_played || fail "$name $size: clicks on the button that plays do not hit"
            if [ $size != 1024x700 ]; then # where the sidebar is folded, and the offer with it
                click 80 96 # Lesson 1, of the offer
                until_true in_lesson || fail "$name $size: a click on Lesson 1 does not hit"
            fi
            end
        done
    done
    name=weston
    command -v weston >/dev/null && command -v Xwayland >/dev/null && command -v xwd >/dev/null || continue
    rm -rf "$work/state" "$work/config"
    display_in_weston $size
    start
    compare_first
    end
done
[ $equal = $all ] || fail "$equal of $all first pictures are what is drawn"
echo "$all of $all first pictures are what is drawn, and their buttons hit"
