#!/usr/bin/env bash
# Solves the plans of data/plans, a figure of a paper each, and compares their tables with docs/papers.
#   scripts/papers.sh NESTOR [PLAN...]        PLAN without folder and ending; all by default
# NESTOR_UPDATE_EXPECTED=1 rewrites the tables instead. Measured times are left out.
set -euo pipefail
nestor=$(realpath "$1")
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(cd data/plans && ls -- *.yaml | sed 's/\.yaml$//')
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
without_times() {
  awk -F, -v OFS=, '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "seconds") cut = i }
    { line = ""; for (i = 1; i <= NF; ++i) if (i != cut) line = line (line == "" ? "" : OFS) $i; print line }'
}
status=0
for plan in "$@"; do
  layers=()
  [[ $plan != *-fig4* ]] || layers=(--per-layer)
  "$nestor" sweep "data/plans/$plan.yaml" --store "$out/$plan.db" --export "$out/$plan.csv" "${layers[@]}"
  without_times <"$out/$plan.csv" >"$out/table.csv"
  if [ -n "${NESTOR_UPDATE_EXPECTED:-}" ]; then
    cp "$out/table.csv" "docs/papers/$plan.csv"
  elif ! diff -u "docs/papers/$plan.csv" "$out/table.csv"; then
    echo "papers: $plan differs from docs/papers/$plan.csv" >&2
    status=1
  fi
done
exit $status
