#!/bin/sh
# Installs the program into a folder of its own and looks at what a package would bring: package_test.sh CMAKE BUILD
# What checks a file's own rules (man, desktop-file-validate, appstreamcli, zsh, fish) is used where it is installed.
set -eu
cmake=$1 build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "$*"; exit 1; }
"$cmake" --install "$build" --component program --prefix "$place" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
share=$place/share
id=org.posiscope.Posiscope

for file in bin/posiscope share/applications/$id.desktop share/metainfo/$id.metainfo.xml share/mime/packages/$id.xml \
    share/man/man1/posiscope.1.gz share/man/zh_CN/man1/posiscope.1.gz share/doc/posiscope/copyright \
    share/bash-completion/completions/posiscope share/zsh/vendor-completions/_posiscope \
    share/fish/vendor_completions.d/posiscope.fish share/icons/hicolor/scalable/apps/$id.svg \
    share/icons/hicolor/16x16/apps/$id.png share/icons/hicolor/256x256/apps/$id.png; do
    [ -s "$place/$file" ] || fail "$file is missing"
done
for part in 'Dear ImGui' glad CLI11 Eigen Highway 'QR Code generator' Roboto 'Noto Sans CJK' DejaVu; do
    grep -q "======== $part ========" "$share/doc/posiscope/copyright" || fail "the licence of $part is missing"
done
[ ! -e "$place/include" ] || fail 'the program brings core along'

# The page names every command and every option that --help names.
gzip -dc "$share/man/man1/posiscope.1.gz" | sed 's/\\-/-/g; s/\\f[BIR]//g' >"$place/page"
commands=$("$place/bin/posiscope" --help --lang en | sed -n '/^Commands:/,$s/^  \([a-z]*\)  .*/\1/p')
[ -n "$commands" ] || fail 'no command was read from --help'
for command in '' $commands; do
    [ -z "$command" ] || grep -q "^.SS \"posiscope $command\"" "$place/page" || fail "the page lacks $command"
    # shellcheck disable=SC2086 # no word for the program itself
    for option in $("$place/bin/posiscope" $command --help --lang en | grep -o '^  \(-[a-z],\)\?--[a-z-]*' | grep -o -e '--[a-z-]*'); do
        grep -q -e "$option" "$place/page" || fail "the page lacks $option of $command"
        [ "$option" = --version ] || grep -q -e "$option" "$share/bash-completion/completions/posiscope" || fail "bash is not told $option"
    done
done
if command -v mandoc >/dev/null; then
    mandoc -T lint -W error "$share/man/man1/posiscope.1.gz" || fail 'the page has an error'
fi

# The shell offers what fits.
offers() { # WORDS... : what bash offers for the last of them
    bash -c '. "$1"; shift; COMP_WORDS=(posiscope "$@"); COMP_CWORD=$#; _posiscope; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$share/bash-completion/completions/posiscope" "$@"
}
offers ren | grep -qx render || fail 'bash does not complete a command'
offers render --fig | grep -qx -e --figure || fail 'bash does not complete an option'
offers render --figure rot | grep -qx rotations || fail 'bash does not complete a figure'
offers list enc | grep -qx encodings || fail 'bash does not complete a list'
offers data table --set layout = ha | grep -qx half || fail 'bash does not complete a value'
offers data freq | grep -qx frequencies || fail 'bash does not complete a quantity'
offers -s / | grep -q '^/' || fail 'bash does not complete a file'
[ -z "$(offers render --figure zzz)" ] || fail 'bash offers what is not there'
if command -v zsh >/dev/null; then zsh -n "$share/zsh/vendor-completions/_posiscope" || fail 'zsh cannot read its completion'; fi
if command -v fish >/dev/null; then
    fish --no-config -c "source $share/fish/vendor_completions.d/posiscope.fish; complete -C 'posiscope render --figure rot'" |
        grep -q rotations || fail 'fish does not complete a figure'
fi
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate "$share/applications/$id.desktop" || fail 'the desktop entry is not valid'
fi
if command -v appstreamcli >/dev/null; then
    appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml" >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
fi
grep -q 'width="128px"' "$share/icons/hicolor/scalable/apps/$id.svg" || fail 'the icon is not a picture'
echo 'everything that a package brings is there'
