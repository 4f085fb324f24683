#!/bin/sh
# Runs every command that stands in the README and in the manual, as it stands there, in a folder of its own; tests/run
# excepted, since this is part of it, and the page, which tests/web/run builds. With no display app/run draws its gallery.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY
export HOME="$work" XDG_STATE_HOME="$work/state" XDG_CONFIG_HOME="$work/config"

for text in "$root/README.md" "$root"/assets/manual/en/*.md; do
    sed -n '/^```sh$/,/^```$/p' "$text"
done | grep -v '^```' | sed 's/ *#.*//' >"$work/commands"
mkdir -p "$work/assets"
cp -r "$root/assets/gallery" "$work/assets/"  # which one of the commands draws anew
sed -n '/^```json$/,/^```$/p' "$root/assets/manual/en/08-own-lessons.md" | grep -v '^```' >"$work/mine.json"  # as it says
count=0
while IFS= read -r command; do
    case $command in '' | tests/run* | 'app/run web' | app/web/build*) continue ;; esac
    line=$(printf '%s' "$command" | sed "s|^app/run|\"$root/app/run\"|")
    (cd "$work" && eval "$line") >"$work/said" 2>&1 </dev/null || {
        echo "A command of the README or the manual fails: $command"
        cat "$work/said"
        exit 1
    }
    count=$((count + 1))
done <"$work/commands"
[ "$count" -ge 20 ] || { echo "There are only $count commands: the test reads them wrongly"; exit 1; }
# Both languages have the same commands and the same pages.
for text in "$root"/assets/manual/en/*.md; do
    for language in en zh; do
        sed -n '/^```/,/^```$/p' "$root/assets/manual/$language/${text##*/}" | sed 's/ *#.*//' >"$work/$language"
    done
    cmp -s "$work/en" "$work/zh" || { echo "${text##*/}: other commands in Chinese"; diff "$work/en" "$work/zh"; exit 1; }
done
[ "$(wc -l <"$root/README.md")" -le 120 ] || { echo "The README is longer than 120 lines"; exit 1; }
[ -s "$work/overview.png" ] && [ -s "$work/scores.csv" ] || { echo "a command wrote no file"; exit 1; }
echo "$count commands of the README and the manual ran"
