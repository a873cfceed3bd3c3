#!/usr/bin/env bash
# Reproduces MASIM's evaluation: Table I with Nestor's mapper, Table II with its ablations, Fig. 9, and the effect of
# R, the number of restarts. Compares the tables with docs/papers.
#   scripts/masim.sh NESTOR NETLISTS
# NETLISTS is a folder with the netlists that MASIM's authors publish with their program (int2float.v, ..., log2.v).
# Nestor may not redistribute them; digests detect other files. NESTOR_UPDATE_EXPECTED=1 rewrites the tables instead.
# Limits are counts of work, so every machine computes the same tables, in a few minutes on two cores.
set -euo pipefail
nestor=$(realpath "$1")
netlists=$(realpath "$2")
cd "$(dirname "$0")/.."
papers=$(realpath docs/papers)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$netlists" && sha256sum -c "$papers/masim-netlists.sha256")

# plan NAME ROWS "RUN..." NETLIST...: writes a plan.
plan() {
  local name=$1 rows=$2 runs=$3
  shift 3
  {
    printf 'name: %s\nverb: schedule\nnetworks: [%s]\nruns:\n' "$name" "$(printf '%s.v, ' "$@" | sed 's/, $//')"
    while read -r run; do printf '  - {rows: %s, %s}\n' "$rows" "$run"; done <<<"$runs"
    printf 'options: {time-limit: 1000000, seed: 1}\n'
  } >"$out/$name.yaml"
  (cd "$netlists" && "$nestor" sweep "$out/$name.yaml" --store "$out/$name.db" --no-times --export "$out/$name.csv")
}

# compare NAME PLAN...: compares the joined tables of the plans.
compare() {
  local name=$1
  shift
  head -1 "$out/$1.csv" >"$out/table.csv"
  for part; do tail -n +2 "$out/$part.csv" >>"$out/table.csv"; done
  if [ -n "${NESTOR_UPDATE_EXPECTED:-}" ]; then
    cp "$out/table.csv" "$papers/$name.csv"
  elif ! diff -u "$papers/$name.csv" "$out/table.csv"; then
    echo "masim: $name differs from docs/papers/$name.csv" >&2
    exit 1
  fi
}

methods='method: gppic, work-limit: 20000000
method: simpler
method: star, work-limit: 300000
method: date24
method: masim, work-limit: 60000000
method: masim-paper, work-limit: 60000000
method: nestor, work-limit: 30000000'
ablations='method: date24, generation: paper
method: date24, improve: true, work-limit: 20000000
method: masim, no-improve: true, work-limit: 20000000'
both=$(printf '%s\n%s' "$methods" "$ablations")
plan of16 16 "$both" int2float
plan of64 64 "$both" router cavlc
plan of128 128 "$both" priority
plan of256 256 "$both" dec adder max sin sqrt multiplier div log2
compare masim-table2 of16 of64 of128 of256
plan rows64 64 "$methods" multiplier
plan rows128 128 "$methods" multiplier
plan rows256 256 "$methods" multiplier
compare masim-fig9 rows64 rows128 rows256
restarts=$(printf 'method: masim-paper, restarts: %s, no-improve: true\n' 1 10 100 500)
plan restarts 16 "$restarts" int2float
plan restarts64 64 "$restarts" router cavlc
compare masim-restarts restarts restarts64

# Number of nodes of Table I's netlists after technology mapping: of the original files, and of versions rewritten as
# ANDs and inversions.
and_inverters='
function make_and(a, b) { ++made; print "  assign aig" made " = " a " & " b " ;"; return "aig" made }
function inverse(a) { return a ~ /^~/ ? substr(a, 2) : "~" a }
function make_or(a, b) { return inverse(make_and(inverse(a), inverse(b))) }
function make_xor(a, b) {
  if (b == "1'\''b1") return inverse(a)
  return make_or(make_and(a, inverse(b)), make_and(inverse(a), b))
}
!/^ *assign/ || !/[&|^]/ { print; next }
{
  gsub(/[ ;()]|assign/, "")
  split($0, sides, "=")
  if (sides[2] ~ /\^/) {
    count = split(sides[2], parts, "^")
    value = parts[1]
    for (i = 2; i <= count; ++i) value = make_xor(value, parts[i])
  } else {
    count = split(sides[2], terms, "|")
    for (i = 1; i <= count; ++i) {
      factors = split(terms[i], parts, "&")
      term = factors == 2 ? make_and(parts[1], parts[2]) : parts[1]
      value = i == 1 ? term : make_or(value, term)
    }
  }
  print "  assign " sides[1] " = " value " ;"
}
'
nodes() { (cd "$out" && "$nestor" schedule "$1" --remap --rows 256 --method date24) | awk '/^mapped/ {print $3 "," $5}'; }
echo netlist,nodes,remapped,and_inverters,mapped >"$out/mapper.csv"
for name in int2float router cavlc priority dec adder max sin sqrt multiplier div log2; do
  awk "$and_inverters" "$netlists/$name.v" >"$out/aig.v"
  echo "$name,$(nodes "$netlists/$name.v"),$(nodes aig.v)" >>"$out/mapper.csv"
done
compare masim-table1 mapper
