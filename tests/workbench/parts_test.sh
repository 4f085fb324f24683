#!/bin/sh
# Each part of the workbench is linked into its test without the others: the maps of the links say so.
# parts_test.sh FOLDER-OF-MAPS PART...
set -eu
maps=$1
shift
for part; do
    grep -q "libposiscope_app\.a(${part}\.cpp\.o)" "$maps/$part.map" || { echo "$part's test links no $part.cpp"; exit 1; }
    for other in "$@" workbench frame action_list tiles sharing service; do
        [ "$other" = "$part" ] && continue
        # Figures have files of the same names: the symbol that one is linked for says whose it is.
        ! grep -A 1 "libposiscope_app\.a(${other}\.cpp\.o)\$" "$maps/$part.map" | grep -q '(posiscope::workbench::' ||
            { echo "$part needs $other"; exit 1; }
    done
    # Where a folder's sources are compiled as one, this is everything of the workbench that is no part.
    ! grep -q 'libposiscope_app\.a(app_workbench' "$maps/$part.map" || { echo "$part needs the workbench"; exit 1; }
done
echo "each of $* is linked alone"
