#!/bin/sh
# Every shader must be GLSL 330 and, but for its header line, ES 3.00: drivers here accept more than they promise.
# usage: gl_shaders.sh glslangValidator
validator=$1
cd "$(dirname "$0")/../../shaders" || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
failed=0

check() { # stage, files
    stage=$1
    shift
    for version in '330 core' '300 es'; do
        for define in '' '#define POSISCOPE_VALUES'; do
            { echo "#version $version"; echo "$define"; cat "$@"; } > "$folder/shader.$stage"
            if ! "$validator" "$folder/shader.$stage" > "$folder/log"; then
                echo "$* as $version:"
                cat "$folder/log"
                failed=1
            fi
        done
    done
}

check vert target.vert
check frag precision.glsl phase.glsl lookup.glsl means.frag
for field in components phase toeplitz shift_blocks samples; do
    check frag precision.glsl lookup.glsl heatmap.glsl "$field.frag"
done
[ ! -f clocks.vert ] || check vert phase.glsl clocks.vert
[ ! -f clocks.frag ] || check frag precision.glsl clocks.frag
exit $failed
