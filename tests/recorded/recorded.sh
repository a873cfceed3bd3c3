#!/usr/bin/env bash
# Compares the results of many runs of the tool with the recorded ones.
#   recorded.sh check BUILD            fails if a run differs from results.txt, and shows the difference
#   recorded.sh record BUILD           writes results.txt again (with ONLY, only those runs); give the reason in the commit
#   recorded.sh list                   prints the runs
# BUILD is a build directory with the tests. NESTOR is the tool, if it is not the one of BUILD. ONLY=REGEX selects the
# runs that match. SAMPLE=N selects about N runs at a regular interval, from a start drawn with SEED (0). KEEP=DIR
# keeps the JSON files of each run in DIR/NUMBER, without words and times. With WAS=DIR, where DIR was written with an
# older tool, `check` shows the first lines of these files that differ, too. JOBS is the number of parallel runs (1).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mode=${1:-list}
export LC_ALL=C

# Prints "NUMBER<TAB>COMMAND" for every run, with names replaced and braces expanded.
runs() {
  local line name number=0 command
  local -a names=() texts=()
  while IFS= read -r line; do
    [[ -z $line || $line == '#'* ]] && continue
    for i in "${!names[@]}"; do line=${line//"\$${names[$i]}"/${texts[$i]}}; done
    if [[ $line =~ ^([a-z]+)\ =\ (.*)$ ]]; then
      name=${BASH_REMATCH[1]}
      names+=("$name")
      texts+=("${BASH_REMATCH[2]}")
      continue
    fi
    # Everything except braces and commas is escaped, so that `eval` only expands braces.
    line=$(sed 's/[^A-Za-z0-9_.{},/=-]/\\&/g' <<<"$line")
    eval "printf '%s\n' $line"
  done <"$here/runs.txt" | while IFS= read -r command; do
    number=$((number + 1))
    printf '%04d\t%s\n' "$number" "$command"
  done
}

# Executes one run in its own directory, and prints its command, its exit status and the figures of its files.
run_one() {
  local number=${1%%$'\t'*} command=${1#*$'\t'}
  local scratch=$out/$number.dir kept=$out/kept/$number status=0
  rm -rf "$kept"
  mkdir "$scratch" "$kept"
  ln -s "$here/inputs" "$scratch/inputs"
  [[ ! -d $root/../shared/data ]] || ln -s "$root/../shared" "$scratch/shared"
  (cd "$scratch" && PATH=$out/bin:$PATH && bash -c "$command" >/dev/null 2>&1) || status=$?
  {
    echo "\$ $command"
    echo "status $status"
    "$figures" "$scratch" "$kept" 2>&1
  } >"$out/is/$number"
  rm -r "$scratch"
}

[[ $mode != list ]] || { runs | cut -f 2; exit; }
[[ $mode == check || $mode == record ]] || { sed -n '2,/^set/p' "$0" | grep '^#' >&2; exit 2; }
nestor=$(realpath "${NESTOR:-$2/app/nestor}")
figures=$(realpath "$2/tests/recorded/recorded_figures")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
mkdir "$out"/{bin,is,was,kept}
[[ -z ${KEEP:-} ]] || { mkdir -p "$KEEP" && rmdir "$out/kept" && ln -s "$(realpath "$KEEP")" "$out/kept"; }
ln -s "$nestor" "$out/bin/nestor"
export NESTOR_DATA=${NESTOR_DATA:-$root/data}
unset NESTOR_COLOR COLUMNS

runs >"$out/runs"
total=$(wc -l <"$out/runs")
cp "$out/runs" "$out/wanted"
if [[ -n ${ONLY:-} ]]; then awk -F '\t' '$2 ~ ENVIRON["ONLY"]' "$out/wanted" >"$out/some"; mv "$out/some" "$out/wanted"; fi
if [[ ! -d $root/../shared/data ]]; then
  grep -v 'shared/' "$out/wanted" >"$out/some" || true
  echo "without ../shared: $(($(wc -l <"$out/wanted") - $(wc -l <"$out/some"))) runs left out"
  mv "$out/some" "$out/wanted"
fi
if [[ -n ${SAMPLE:-} ]]; then
  awk -v n="$SAMPLE" -v total="$(wc -l <"$out/wanted")" -v seed="${SEED:-0}" \
    'BEGIN {step = total > n ? int(total / n) : 1; first = seed % step} (NR - 1) % step == first' "$out/wanted" >"$out/some"
  mv "$out/some" "$out/wanted"
fi
[[ -s $out/wanted ]] || { echo "no run is left to compare" >&2; exit 1; }

export here root out figures
export -f run_one
tr '\n' '\0' <"$out/wanted" | xargs -0 -P "${JOBS:-1}" -I {} bash -c 'run_one "$1"' _ {}

# Divides results.txt into one file per run.
awk -F '\t' -v out="$out/was" 'BEGIN {file = "/dev/null"} FNR == NR {number["$ " $2] = $1; next}
  /^\$ / {close(file); file = number[$0] != "" ? out "/" number[$0] : "/dev/null"}
  {print >file}' "$out/runs" "$here/results.txt"

if [[ $mode == record ]]; then
  cp "$out"/is/* "$out/was"
  cut -f 1 "$out/runs" | while read -r number; do
    cat "$out/was/$number" 2>/dev/null || { echo "not recorded: run $number" >&2; exit 1; }
  done >"$out/all"
  mv "$out/all" "$here/results.txt"
  echo "$(wc -l <"$out/wanted") of $total runs recorded"
  exit
fi

different=0
while IFS=$'\t' read -r number command; do
  [[ -f $out/was/$number ]] || touch "$out/was/$number"
  ! cmp -s "$out/was/$number" "$out/is/$number" || continue
  different=$((different + 1))
  echo "differs: $number $command" >&2
  ((different <= ${SHOW:-5})) || continue
  diff "$out/was/$number" "$out/is/$number" | head -n 12 >&2 || true
  [[ ! -d ${WAS:-}/$number ]] || diff -r "$WAS/$number" "$out/kept/$number" | head -n 12 >&2 || true
done <"$out/wanted"
echo "$(wc -l <"$out/wanted") of $total runs compared with results.txt, $different differ"
((different == 0))
