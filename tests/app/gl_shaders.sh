#!/bin/sh
# Every shader must be valid GLSL 330 and, except for its header line, ES 3.00: drivers here accept more than that.
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
common='precision.glsl lookup.glsl heatmap.glsl'
for field in toeplitz samples; do check frag $common $field.frag; done
check frag $common covers.glsl shift_blocks.frag
check frag $common covers.glsl phase.glsl rows.glsl components.frag
for field in blocks phase; do check frag $common covers.glsl phase.glsl rows.glsl pairs.glsl $field.frag; done
check vert precision.glsl phase.glsl clocks.vert
check frag precision.glsl clocks.frag
exit $failed
