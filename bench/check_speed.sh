#!/usr/bin/env bash
# Benchmark of the cost of proofs. It prints one row per network, objective and latency model, as a table for
# docs/proofs.md. Seconds are processor times of the search, of the search that writes a proof, and of
# nestor-check. Every row must end with VERIFIED.
#   [OBJECTIVES='eq14 edp'] bench/check_speed.sh [BUILD_DIR [ARCHITECTURE [NETWORK...]]]
set -euo pipefail
build=$(cd "${1:-build/release}" && pwd)
machine=${2:-miredo-default}
shift $(($# < 2 ? $# : 2))
networks=("${@:-resnet18}")
[[ $# -gt 0 ]] || networks=(resnet18 mobilenetv2 bert-base-128)
. "$(dirname "$0")/processor_seconds.sh"
kib() { echo $((($(stat -c %s "$1") + 1023) / 1024)); }
printf '| network on %s | objective | model | map, s | with proof, s | proof, KiB | followed, s | verdict |\n|---|---|---|---|---|---|---|---|\n' "$machine"
for network in "${networks[@]}"; do
  for objective in ${OBJECTIVES:-latency energy edp eq14 blended pareto}; do
    for model in stall miredo; do
      search=("$build/app/nestor" map "$network" --arch "$machine" --objective "$objective" --latency-model "$model")
      plain=$(seconds "${search[@]}" --json "$work/plain.json")
      logged=$(seconds "${search[@]}" --json "$work/result.json" --proof "$work/proof")
      followed=$(seconds "$build/check/nestor-check" "$work/result.json" --proof "$work/proof")
      printf '| %s | %s | %s | %s | %s | %d | %s | %s |\n' "$network" "$objective" "$model" "$plain" "$logged" \
        "$(kib "$work/proof")" "$followed" "$(tail -1 "$work/said" | cut -d: -f1)"
    done
  done
done
