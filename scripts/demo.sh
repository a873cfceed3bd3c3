#!/usr/bin/env bash
# Demonstration of the main use, run by `make demo`.
#   scripts/demo.sh NESTOR
set -euo pipefail
cd "$(dirname "$0")/.."
nestor=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
show() { printf '\n$ nestor %s\n' "${*//$out\//}"; "$nestor" "$@"; }
show show miredo-table4
show map resnet18 --arch miredo-table4 --json "$out/resnet18.json"
show verify "$out/resnet18.json"
show show "$out/resnet18.json" --layer conv3_1_b
show simulate "$out/resnet18.json" --layer conv3_1_b
printf '\nThe same kind of layer mapped by hand, for comparison with conv5_1_b above:\n'
by_hand=(--arch miredo-table4 --layers data/examples/conv5.yaml --mapping data/examples/conv5-by-hand.json)
show evaluate "${by_hand[@]}"
