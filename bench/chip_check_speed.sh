#!/usr/bin/env bash
# Benchmark of the cost of proofs for compiled networks. It prints one row per network and level, as a table
# for docs/proofs.md. Seconds are processor times of the search, of the search that writes a proof, and of
# nestor-check. Every row must end with VERIFIED.
#   bench/chip_check_speed.sh [BUILD_DIR [ARCHITECTURE [NETWORK...]]]
set -euo pipefail
build=$(cd "${1:-build/release}" && pwd)
machine=${2:-isaac-table3}
shift $(($# < 2 ? $# : 2))
networks=("$@")
[[ $# -gt 0 ]] || networks=(resnet18 resnet34 resnet50 resnet101 vgg16 mobilenetv2)
. "$(dirname "$0")/processor_seconds.sh"
printf '| network on %s | levels | cycles | compile, s | with proof, s | proof, bytes | followed, s | verdict |\n|---|---|---|---|---|---|---|---|\n' "$machine"
for network in "${networks[@]}"; do
  for levels in cg cg,mvm cg,mvm,vvm; do
    search=("$build/app/nestor" compile "$network" --arch "$machine" --levels "$levels")
    plain=$(seconds "${search[@]}" --json "$work/result.json")
    logged=$(seconds "${search[@]}" --json "$work/result.json" --proof "$work/proof")
    followed=$(seconds "$build/check/nestor-check" "$work/result.json" --proof "$work/proof")
    cycles=$(sed -n 's/^  "lower_bound": \([0-9]*\).*/\1/p' "$work/result.json")
    printf '| %s | %s | %s | %s | %s | %d | %s | %s |\n' "$network" "${levels//,/, }" "$cycles" "$plain" "$logged" \
      "$(stat -c %s "$work/proof")" "$followed" "$(tail -1 "$work/said" | cut -d: -f1)"
  done
done
