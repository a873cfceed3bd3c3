#!/usr/bin/env bash
# check-recipe.sh SOURCE_DIR: checks that ARCHITECTURE.md and the toy space (tests/app/toy_space.h) list the
# same steps for a new space, in the same order, and that the toy space is short.
set -euo pipefail
cd "$1"
toy=tests/app/toy_space.h
recipe=$(sed -nE 's/^  ([0-9]+)\. `([a-zA-Z/.]+)`.*/\1 \2/p' ARCHITECTURE.md)
steps=$(sed -nE 's#^// Step ([0-9]+), ([a-zA-Z/.]+):.*#\1 \2#p' $toy)
(($(wc -l <<<"$steps") >= 10)) || { echo "no steps found in $toy"; exit 1; }
diff <(echo "$recipe") <(echo "$steps") || { echo "ARCHITECTURE.md (<) and $toy (>) have other steps"; exit 1; }
lines=$(wc -l <$toy)
((lines < 300)) || { echo "$toy has $lines lines, expected fewer than 300"; exit 1; }
