#!/usr/bin/env bash
# The main job, shown: what `make demo` runs.
#   scripts/demo.sh NESTOR
set -euo pipefail
cd "$(dirname "$0")/.."
nestor=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
show() { printf '\n$ nestor %s\n' "${*//$out\//}"; "$nestor" "$@"; }
by_hand=(--arch miredo-table4 --layers data/examples/conv5.yaml --mapping data/examples/conv5-by-hand.json)
show show miredo-table4
show show "${by_hand[@]}"
show evaluate "${by_hand[@]}" --json "$out/conv5.json"
show simulate "$out/conv5.json"
show verify "$out/conv5.json"
