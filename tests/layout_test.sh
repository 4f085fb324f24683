#!/bin/sh
# Our own code is laid out as .clang-format says. layout_test.sh CLANG_FORMAT
set -eu
cd "$(dirname -- "$0")/.."
find app core tests -name '*.cpp' -o -name '*.hpp' | xargs "$1" --dry-run --Werror
