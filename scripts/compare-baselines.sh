#!/usr/bin/env bash
# Writes docs/baselines.md: fixed dataflows and sampling compared with the proved optimum, on the shapes of ResNet-18.
# The exit status is 1 if `nestor verify` does not confirm a result, or if one costs less than a proved optimum.
#   scripts/compare-baselines.sh NESTOR >docs/baselines.md
# MACHINES, METHODS, NETWORK, LAYERS and OBJECTIVE select the comparison. NODES is the work limit of each search.
set -euo pipefail
nestor=$(realpath "$1")
machines=${MACHINES:-miredo-table4 miredo-default pim-default}
network=${NETWORK:-resnet18}
objective=${OBJECTIVE:-latency}
nodes=${NODES:-1000000}
methods=${METHODS:-weight-stationary output-stationary input-stationary weight-stationary-greedy zigzag-like sampled}
layers=${LAYERS:-conv1 conv2_1_a conv3_1_a conv3_1_b conv3_1_shortcut conv4_1_a conv4_1_b conv4_1_shortcut conv5_1_a conv5_1_b conv5_1_shortcut fc}
chosen=()
for layer in $layers; do chosen+=(--layer "$layer"); done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Rows of a result: layer, status and objective.
rows() {
  awk '/^  "layers": \[/ { inside = 1 }
    !inside { next }
    function value() { sub(/^[^:]*: /, ""); sub(/,$/, ""); gsub(/"/, ""); return $0 }
    function flush() { if (name != "" && !same) print name, status, cost; name = ""; same = 0 }
    /^  "totals"/ { flush(); inside = 0 }
    /^      "name":/ { flush(); name = value(); status = "heuristic"; cost = "-" }
    /^      "status":/ { status = value() }
    /^      "same_as":/ { same = 1 }
    /^      "objective":/ { cost = value() }' "$1"
}

# METHOD MACHINE [OPTION...]: computes a verified result. A work limit (status 1) and the lack of a mapping (4) are also
# results.
solve() {
  local method=$1 machine=$2 said=0
  shift 2
  "$nestor" map "$network" "${chosen[@]}" --arch "$machine" --objective "$objective" --method "$method" --json "$scratch/$method.json" "$@" \
    >/dev/null 2>"$scratch/errors" || said=$?
  [[ $said -le 1 || $said == 4 ]] || { cat "$scratch/errors" >&2; exit 1; }
  "$nestor" verify "$scratch/$method.json" >"$scratch/verified" || { cat "$scratch/verified" >&2; exit 1; }
  rows "$scratch/$method.json" >"$scratch/$method.rows"
}

cat <<PAGE
# Baselines compared with the optimum

\`scripts/compare-baselines.sh\` writes this page. Each shape of $network is mapped for least $objective; a search stops
after $nodes nodes; an optimum that is not proved by then is marked \`~\`. Every other cell is the cost of a baseline as
a multiple of this cost (\`=\`: the same; \`-\`: no mapping). A stationary method is an exact search among mappings that
load each tile of an operand once ([models/cim.md](models/cim.md), section 12.1); its unproved results are marked \`~\`.
Constructions, sampling and, on CIM machines, a mapper similar to ZigZag (\`zigzag-like\`: all orders of merged loops,
memories filled from the inside out) prove nothing and are also marked \`~\`. Every result is confirmed by
\`nestor verify\`, and none costs less than a proved optimum.

PAGE
for machine in $machines; do
  solve optimal "$machine" --work-limit "$nodes"
  used=$methods
  [[ $machine != pim-* ]] || used=${methods//zigzag-like/}  # only for CIM machines
  for method in $used; do
    case $method in
      *-greedy | sampled | row-stationary | zigzag-like) solve "$method" "$machine" ;;
      *) solve "$method" "$machine" --work-limit "$nodes" ;;
    esac
  done
  printf '## %s\n\n| layer | optimum |' "$machine"
  printf ' %s |' $used
  printf '\n|---|---|'
  for method in $used; do printf -- '---|'; done
  printf '\n'
  files=("$scratch/optimal.rows")
  for method in $used; do files+=("$scratch/$method.rows"); done
  awk -v count="${#files[@]}" 'FNR == 1 { file++ }
    file == 1 { order[++layers] = $1 }
    { status[file, $1] = $2; cost[file, $1] = $3 == "-" ? "-" : sprintf("%.10g", $3) }
    END {
      for (i = 1; i <= layers; i++) {
        name = order[i]
        least = cost[1, name]
        proved = status[1, name] == "optimal"
        if (least == "-") { print "| " name " | - |"; continue }
        line = "| " name " | " least (proved ? "" : " ~") " |"
        for (f = 2; f <= count; f++) {
          if (cost[f, name] == "" || cost[f, name] == "-") { line = line " - |"; continue }
          ratio = cost[f, name] / least
          if (proved && ratio < 1 - 1e-9) { print name ": below the proved optimum" > "/dev/stderr"; wrong = 1 }
          sum[f] += log(ratio)
          n[f]++
          line = line " " (ratio < 1 + 1e-9 && ratio > 1 - 1e-9 ? "=" : sprintf("%.3f", ratio)) (status[f, name] == "optimal" ? "" : " ~") " |"
        }
        print line
      }
      line = "| geometric mean | |"
      for (f = 2; f <= count; f++) line = line (n[f] ? sprintf(" %.3f |", exp(sum[f] / n[f])) : " - |")
      print line
      exit wrong
    }' "${files[@]}"
  printf '\n'
done
