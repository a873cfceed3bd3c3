#!/usr/bin/env bash
# Solves the plans of data/plans, each of which reproduces a figure of a paper. Compares their tables and plots with
# docs/papers.
#   scripts/papers.sh NESTOR [PLAN...]        PLAN without folder and extension; default: all
# miredo-fig4a is not a sweep; it replays the optima of ResNet-18 and compares them with both latency models.
# NESTOR_UPDATE_EXPECTED=1 rewrites tables and plots instead. Measured times are omitted.
set -euo pipefail
nestor=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- miredo-fig4a $(cd data/plans && ls -- *.yaml | sed 's/\.yaml$//')
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
declare -A axes=(
  [cim-mlc-fig22a]=chip.cores,latency [cim-mlc-fig22b]=core.crossbars,latency [cim-mlc-fig22c]=crossbar.size,latency
  [cim-mlc-fig22d]=crossbar.parallel_rows,latency
)
# compare PLAN: compares its output with the committed files.
compare() {
  local made
  for made in "$out/$1".{csv,svg,txt}; do
    [[ -e $made ]] || continue
    if [ -n "${NESTOR_UPDATE_EXPECTED:-}" ]; then
      cp "$made" docs/papers
    elif ! diff -u "docs/papers/${made##*/}" "$made"; then
      echo "papers: $1 differs from docs/papers/${made##*/}" >&2
      status=1
    fi
  done
}

status=0
for plan in "$@"; do
  if [ "$plan" = miredo-fig4a ]; then
    "$nestor" map resnet18 --arch miredo-table4 --quiet --json "$out/optima.json"
    "$nestor" simulate "$out/optima.json" >"$out/$plan.txt"
    compare "$plan"
    continue
  fi
  options=(--no-times --export "$out/$plan.csv")
  [[ $plan != miredo-fig4* && $plan != pim-optimizer-table3 ]] || options+=(--per-layer)
  [[ -z ${axes[$plan]:-} ]] || options+=(--plot "$out/$plan.svg" --axes "${axes[$plan]}")
  "$nestor" sweep "data/plans/$plan.yaml" --store "$out/$plan.db" "${options[@]}"
  compare "$plan"
done
exit $status
