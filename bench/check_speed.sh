#!/usr/bin/env bash
# How long nestor-check takes beside the search that it checks: one row per network, objective and latency model, as
# a table for docs/proofs.md. Every row must end with VERIFIED.
#   bench/check_speed.sh [BUILD_DIR [ARCHITECTURE [NETWORK...]]]
set -euo pipefail
build=$(cd "${1:-build/release}" && pwd)
machine=${2:-miredo-default}
shift $(($# < 2 ? $# : 2))
networks=("${@:-resnet18}")
[[ $# -gt 0 ]] || networks=(resnet18 mobilenetv2 bert-base-128)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds() { # command...
  local begin=$EPOCHREALTIME
  "$@" >"$work/said"
  awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.2f", b - a}'
}
printf '| network on %s | objective | model | map, s | check, s | result, KiB | verdict |\n|---|---|---|---|---|---|---|\n' "$machine"
for network in "${networks[@]}"; do
  for objective in latency energy edp pareto; do
    for model in stall miredo; do
      searched=$(seconds "$build/app/nestor" map "$network" --arch "$machine" --objective "$objective" \
        --latency-model "$model" --json "$work/result.json")
      checked=$(seconds "$build/check/nestor-check" "$work/result.json" --time-limit 600) || true
      printf '| %s | %s | %s | %s | %s | %d | %s |\n' "$network" "$objective" "$model" "$searched" "$checked" \
        $(($(stat -c %s "$work/result.json") / 1024)) "$(tail -1 "$work/said" | cut -d: -f1)"
    done
  done
done
