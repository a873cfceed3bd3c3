#!/usr/bin/env bash
# Compares the output and files of many runs of the tool with the recorded ones.
#   digests.sh check NESTOR            fails if a run differs from recorded.txt
#   digests.sh record NESTOR           writes recorded.txt again (with ONLY, only those runs); give the reason in the commit
#   digests.sh list                    prints the runs
# ONLY=REGEX selects the runs that match. SAMPLE=N selects about N runs at a regular interval, from a start
# drawn with SEED (0). KEEP=DIR keeps the output of each run as DIR/NUMBER.norm. With WAS=DIR, where DIR was
# written by an older tool, `check` shows the first lines that differ. JOBS is the number of parallel runs
# (1). DIR/seconds contains the processor time of each run.
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

# Executes one run in its own directory. Everything it prints and writes goes into one file.
run_one() {
  local number=${1%%$'\t'*} command=${1#*$'\t'}
  local scratch=$out/$number.dir status=0
  mkdir "$scratch"
  ln -s "$here/inputs" "$scratch/inputs"
  [[ ! -d $root/../shared/data ]] || ln -s "$root/../shared" "$scratch/shared"
  {
    echo "\$ $command"
    (cd "$scratch" && PATH=$out/bin:$PATH && TIMEFORMAT=$'%U\t'$number && time bash -c "$command" 2>&1) 2>>"$out/seconds" || status=$?
    echo "status $status"
    for file in "$scratch"/*; do
      [[ -L $file ]] || { echo "== ${file##*/}"; cat "$file"; }
    done
  } >"$out/$number"
  rm -r "$scratch"
}

[[ $mode != list ]] || { runs | cut -f 2; exit; }
[[ $mode == check || $mode == record ]] || { sed -n '2,/^set/p' "$0" | grep '^#' >&2; exit 2; }
nestor=$(realpath "$2")
out=${KEEP:-$(mktemp -d)}
[[ -n ${KEEP:-} ]] || trap 'rm -rf "$out"' EXIT
mkdir -p "$out/bin"
ln -sf "$nestor" "$out/bin/nestor"
export NESTOR_DATA=${NESTOR_DATA:-$root/data}
unset NESTOR_COLOR COLUMNS

runs >"$out/runs"
total=$(wc -l <"$out/runs")
mv "$out/runs" "$out/wanted"
if [[ -n ${ONLY:-} ]]; then grep -E -- "$ONLY" "$out/wanted" >"$out/runs" || true; mv "$out/runs" "$out/wanted"; fi
if [[ ! -d $root/../shared/data ]]; then
  grep -v 'shared/' "$out/wanted" >"$out/runs" || true
  echo "without ../shared: $(($(wc -l <"$out/wanted") - $(wc -l <"$out/runs"))) runs left out"
  mv "$out/runs" "$out/wanted"
fi
if [[ -n ${SAMPLE:-} ]]; then
  awk -v n="$SAMPLE" -v total="$(wc -l <"$out/wanted")" -v seed="${SEED:-0}" \
    'BEGIN {step = total > n ? int(total / n) : 1; first = seed % step} (NR - 1) % step == first' "$out/wanted" >"$out/runs"
  mv "$out/runs" "$out/wanted"
fi
[[ -s $out/wanted ]] || { echo "no run is left to compare" >&2; exit 1; }

export here root out
export -f run_one
tr '\n' '\0' <"$out/wanted" | xargs -0 -P "${JOBS:-1}" -I {} bash -c 'run_one "$1"' _ {}
(cd "$out" && cut -f 1 wanted | xargs awk -f "$here/normalise.awk" -v renamed="$here/renamed.txt")
(cd "$out" && cut -f 1 wanted | sed 's/$/.norm/' | xargs sha256sum) | cut -c 1-16 >"$out/digests"
(cd "$out" && cut -f 1 wanted | xargs rm)
paste -d ' ' "$out/digests" <(cut -f 2 "$out/wanted") >"$out/results"

declare -A recorded=()
while read -r digest command; do recorded[$command]=$digest; done <"$here/recorded.txt"
if [[ $mode == record ]]; then
  while read -r digest command; do recorded[$command]=$digest; done <"$out/results"
  runs | cut -f 2 | while IFS= read -r command; do
    [[ -n ${recorded[$command]:-} ]] || { echo "not recorded: $command" >&2; exit 1; }
    echo "${recorded[$command]} $command"
  done >"$out/all"
  mv "$out/all" "$here/recorded.txt"
  echo "$(wc -l <"$out/results") of $total runs recorded"
  exit
fi

different=0
while IFS=$'\t' read -r number command && read -r digest <&3; do
  [[ ${recorded[$command]:-none} != "$digest" ]] || continue
  different=$((different + 1))
  echo "differs: $number $command" >&2
  if [[ -n ${WAS:-} && -f $WAS/$number.norm ]] && ((different <= ${SHOW:-5})); then
    diff "$WAS/$number.norm" "$out/$number.norm" | head -n 12 >&2 || true
  fi
done <"$out/wanted" 3<"$out/digests"
echo "$(wc -l <"$out/wanted") of $total runs compared with recorded.txt, $different differ"
((different == 0))
