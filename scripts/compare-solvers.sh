#!/usr/bin/env bash
# Writes docs/comparison.md: MIP solvers on the exported programs of the 12 shapes of ResNet-18 and of 12 small
# shapes, compared with the proofs of `nestor map`. A full run takes up to two hours per solver on an idle machine.
#   npm install highs && NODE_PATH=$PWD/node_modules scripts/compare-solvers.sh NESTOR >docs/comparison.md
# SECONDS_EACH is the time limit for each solver and layer. MACHINES and SOLVERS are lists; MACHINES=none omits all
# tables. LAYERS is a list of layers of ResNet-18, or none; SMALL=0 omits the small shapes. With Gurobi or SCIP
# installed: SOLVERS=gurobi,scip.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
nestor=$(realpath "$1")
seconds=${SECONDS_EACH:-60}
machines=${MACHINES:-miredo-table4 miredo-default}
solvers=${SOLVERS:-highs,cbc,glpk}
layers=${LAYERS:-conv1 conv2_1_a conv3_1_a conv3_1_b conv3_1_shortcut conv4_1_a conv4_1_b conv4_1_shortcut conv5_1_a conv5_1_b conv5_1_shortcut fc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Small layers of several kinds; open-source solvers prove most of them.
cat >"$scratch/small.yaml" <<'YAML'
name: small shapes
layers:
  - {name: 1x1-a, dims: {K: 8, C: 8, P: 4}}
  - {name: 1x1-b, dims: {K: 8, C: 4, P: 4}}
  - {name: 1x1-c, dims: {K: 4, C: 4, P: 7, Q: 7}}
  - {name: 3x3-a, dims: {K: 4, C: 4, R: 3, S: 3}}
  - {name: 3x3-b, dims: {K: 8, C: 4, P: 7, Q: 7, R: 3, S: 3}}
  - {name: 3x3-c, dims: {K: 4, C: 2, P: 3, R: 3, S: 3}}
  - {name: 7x7, dims: {K: 4, C: 3, R: 7, S: 7}}
  - {name: row-3, dims: {K: 8, C: 8, Q: 8, S: 3}}
  - {name: fc-a, dims: {K: 16, C: 16}}
  - {name: fc-b, dims: {K: 10, C: 64}}
  - {name: batch, dims: {N: 4, K: 16, C: 16}}
  - {name: depthwise, dims: {P: 4, Q: 4, R: 3, S: 3}}
YAML

commands=()
if [[ ,$solvers, == *,highs,* ]] && ! command -v highs >/dev/null; then
  commands=(--solver-command "highs=node $root/scripts/highs-solve.mjs {model} {solution} {seconds}")
fi

# Prints one table: INPUT MACHINE [OPTION...]
table() {
  local input=$1 machine=$2
  shift 2
  "$nestor" compare "$input" --arch "$machine" "$@" --solvers "$solvers" ${commands[@]+"${commands[@]}"} --threads 1 \
    --time-limit "$seconds" --csv "$scratch/rows.csv" >/dev/null 2>"$scratch/errors" || { cat "$scratch/errors" >&2; exit 1; }
  echo "| layer | solver | state | seconds | primal | dual bound | gap | evaluated | evaluated / optimum |"
  echo "|---|---|---|---|---|---|---|---|---|"
  awk -F, 'NR > 1 {
    gap = $7 == "" ? "" : sprintf("%.1f %%", 100 * $7)
    ratio = $9 == "" ? "" : sprintf("%.4f", $9)
    for (i = 5; i <= 6; ++i) $i = $i == "" ? "" : sprintf("%.10g", $i)
    printf "| %s | %s | %s | %.1f | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, $5, $6, gap, $8, ratio
  }' "$scratch/rows.csv"
  echo
  awk -F, 'NR > 1 { total[$2]++; if ($3 == "optimal") proved[$2]++ }
    END { for (solver in total) printf "%s%s proves %d of %d.", (n++ ? " " : ""), solver, proved[solver], total[solver] }' "$scratch/rows.csv" |
    fold -s -w 118
  printf '\n\n'
}

cat <<PAGE
# MIP solvers compared with our search

\`scripts/compare-solvers.sh\` writes this page. Each solver gets $seconds s per layer and one thread, for the program of
[models/mip.md](models/mip.md) that \`nestor export\` writes: objective latency, latency model stall, prime factors. A
solution is imported, checked and evaluated; "evaluated" is the cost of its mapping under our model, whatever the solver
claims. "gap" is (evaluated - dual bound) / evaluated. Seconds are those of one machine and one run.

PAGE
if [[ $machines == none ]]; then
  printf 'The tables are omitted: they need an idle machine for hours, and none was available for this version.\n\n'
  machines=
fi
for machine in $machines; do
  chosen=()
  for layer in $layers; do chosen+=(--layer "$layer"); done
  if [[ $layers != none ]]; then
    printf '## ResNet-18 on %s\n\n' "$machine"
    table resnet18 "$machine" "${chosen[@]}"
  fi
  [[ ${SMALL:-1} == 0 ]] && continue
  printf '## Small shapes on %s\n\n' "$machine"
  table "$scratch/small.yaml" "$machine"
done
cat <<'PAGE'
## With other solvers

Gurobi and SCIP are found by name: `SOLVERS=gurobi,scip scripts/compare-solvers.sh NESTOR`, or `nestor compare ...
--solvers gurobi`. Any other program is given by `--solver-command`.

## Differences from the authors' code

These programs are not those that MIREDO's authors solve with Gurobi. According to their repository
(BUAA-CI-LAB/MIREDO):

- The spatial scheme is fixed outside the program: one program per scheme, about 98 % of them infeasible.
- A slot holds one loop; odd heights and widths above 15 are padded to even.
- Transfers are not rounded up to whole cycles (their simulator rounds).
- Latency and energy are minimised in lexicographic order, not by equation 14.
- The latency recursion differs from Table III: partial sums are always read back, and start-up has a separate term.
- EDP is bilinear; exponentials are piecewise linear with 1 % error; SOS1 and indicator constraints are used.

They report an EDP 1.08 to 1.22 times better than ZigZag-IMC's on five CNNs (the paper reports 1.6 to 3.2), and 95 of
174 layers proved. Their brute force on small layers finds their own program 1.4 and 2.2 % above the optimum of their
simulator.
PAGE
