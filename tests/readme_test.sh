#!/bin/sh
# Runs every command that stands in the README, as it stands there, in a folder of its own; tests/run excepted,
# since this is part of it. With no display app/run draws its gallery.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY
export HOME="$work" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config"

sed -n '/^```sh$/,/^```$/p' "$root/README.md" | grep -v '^```' | sed 's/ *#.*//' >"$work/commands"
mkdir -p "$work/assets"
cp -r "$root/assets/gallery" "$work/assets/"  # which one of the commands draws anew
count=0
while IFS= read -r command; do
    case $command in '' | tests/run*) continue ;; esac
    line=$(printf '%s' "$command" | sed "s|^app/run|\"$root/app/run\"|")
    (cd "$work" && eval "$line") >"$work/said" 2>&1 </dev/null || {
        echo "The README's command fails: $command"
        cat "$work/said"
        exit 1
    }
    count=$((count + 1))
done <"$work/commands"
[ "$count" -ge 5 ] || { echo "The README has only $count commands: the test reads it wrongly"; exit 1; }
[ -s "$work/overview.png" ] && [ -s "$work/scores.csv" ] || { echo "a command wrote no file"; exit 1; }
echo "$count commands of the README ran"
