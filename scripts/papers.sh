#!/usr/bin/env bash
# Solves the plans of data/plans, a figure of a paper each, and compares their tables and plots with docs/papers.
#   scripts/papers.sh NESTOR [PLAN...]        PLAN without folder and ending; all by default
# NESTOR_UPDATE_EXPECTED=1 rewrites tables and plots instead. Measured times are left out.
set -euo pipefail
nestor=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(cd data/plans && ls -- *.yaml | sed 's/\.yaml$//')
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
declare -A axes=(
  [cim-mlc-fig22a]=chip.cores,latency [cim-mlc-fig22b]=core.crossbars,latency [cim-mlc-fig22c]=crossbar.size,latency
  [cim-mlc-fig22d]=crossbar.parallel_rows,latency
)
status=0
for plan in "$@"; do
  options=(--no-times --export "$out/$plan.csv")
  [[ $plan != miredo-fig4* && $plan != pim-optimizer-table3 ]] || options+=(--per-layer)
  [[ -z ${axes[$plan]:-} ]] || options+=(--plot "$out/$plan.svg" --axes "${axes[$plan]}")
  "$nestor" sweep "data/plans/$plan.yaml" --store "$out/$plan.db" "${options[@]}"
  for made in "$out/$plan".{csv,svg}; do
    [[ -e $made ]] || continue
    if [ -n "${NESTOR_UPDATE_EXPECTED:-}" ]; then
      cp "$made" docs/papers
    elif ! diff -u "docs/papers/${made##*/}" "$made"; then
      echo "papers: $plan differs from docs/papers/${made##*/}" >&2
      status=1
    fi
  done
done
exit $status
