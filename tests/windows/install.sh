#!/bin/sh
# The packages under Wine: what the zip holds runs where it is unpacked; the installer, silent, brings programs, start menu and "Open
# with"; the uninstaller leaves nothing but what a person made. With WINDOW=yes the installed window is driven.
#   install.sh WINE BUILD WORK
set -eu
wine=$1 build=$2 work=$3
person=$WINEPREFIX/drive_c/users/$(id -un)
programs=$person/AppData/Local/Programs/Posiscope
menu="$person/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Posiscope.lnk"
fail() { echo "FAILED: $*"; exit 1; }
knows() { "$wine" reg query "HKCU\\Software\\$1" >/dev/null 2>&1; }
keys='Classes\Posiscope.File Classes\Applications\posiscope.exe Microsoft\Windows\CurrentVersion\Uninstall\Posiscope'
until_true() {
    for _ in $(seq 300); do "$@" && return 0; sleep 0.1; done
    return 1
}
says_version() { "$wine" "$1" --version | tr -d '\r' | grep -q "^posiscope $version"; }

# What Explorer shows of a program: its resource of type 16.
states_version() { strings -e l "$1" | grep -A 1 -x ProductVersion | grep -qx "$version"; }
version=$(sed -n 's/^project(posiscope VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
name=posiscope-$version-windows-x86_64
mkdir "$work/解压 here"
(cd "$work/解压 here" && cmake -E tar xf "$build/$name.zip")
"$wine" "$work/解压 here/$name/posiscope.com" render -o "$work/unpacked.png" --size 400x300 || fail 'the unpacked program draws nothing'
[ -s "$work/unpacked.png" ] || fail 'the unpacked program wrote no picture'

for file in "$work/解压 here/$name"/posiscope*.* "$build/$name.exe"; do
    states_version "$file" || fail "$file has no resource that states its version"
done

rm -rf "$programs"
"$wine" "$build/$name.exe" /S || fail "the installer ended with $?"
for file in posiscope.exe posiscope.com posiscope-dialog.exe LICENCES.txt uninstall.exe; do
    cmp -s "$programs/$file" "$work/解压 here/$name/$file" || [ "$file" = uninstall.exe ] || fail "$file is not installed"
done
[ -s "$menu" ] || fail 'the start menu does not have it'
for key in $keys; do knows "$key" || fail "no $key in the registry"; done
"$wine" reg query 'HKCU\Software\Classes\.json\OpenWithProgids' | grep -q Posiscope.File || fail '"Open with" does not have it'
says_version "$programs/posiscope.com" || fail 'the installed program does not tell its version'
"$wine" "$build/$name.exe" /S || fail 'it cannot be installed again over itself'
[ -z "${WINDOW-}" ] || tests/windows/window.sh "$wine" "$programs" "$work" || fail 'the installed window cannot be driven'

mkdir -p "$person/AppData/Local/Posiscope"
echo '{}' >"$person/AppData/Local/Posiscope/kept.json"
echo mine >"$programs/mine.txt"
"$wine" "$programs/uninstall.exe" /S || fail "the uninstaller ended with $?"
gone() { [ ! -e "$programs/uninstall.exe" ] && [ ! -e "$programs/posiscope.com" ]; } # a copy of itself removes it
until_true gone || fail 'the uninstaller leaves the programs'
[ "$(ls "$programs")" = mine.txt ] || fail "left behind: $(ls "$programs")"
[ -e "$person/AppData/Local/Posiscope/kept.json" ] || fail "a person's files are gone"
[ ! -e "$menu" ] || fail 'the start menu still has it'
for key in $keys 'Classes\.npy' 'Microsoft\Windows\CurrentVersion\App Paths\posiscope.exe'; do
    ! knows "$key" || fail "$key is left in the registry"
done
rm -r "$programs" "$person/AppData/Local/Posiscope/kept.json"
echo "ok: $name.zip runs where it is unpacked, the installer installs and removes ($(wc -c <"$build/$name.zip") and $(wc -c <"$build/$name.exe") bytes)"
