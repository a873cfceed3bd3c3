#!/usr/bin/env bash
# Runs every fuzz target for an equal share of the given seconds, starting from the seed corpus in the tree.
#   scripts/run-fuzzers.sh [SECONDS] [BUILD_DIR]
# If a target crashes, the script fails, and the input is in the build folder; add it to tests/fuzz/corpus/<target>/.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=${2:-build/fuzz}
targets=()
while IFS= read -r path; do targets+=("$path"); done < <(find "$build/tests/fuzz" -maxdepth 1 -name '*_fuzzer' -type f -executable | sort)
if [[ ${#targets[@]} -eq 0 ]]; then
  echo "no fuzz targets in $build/tests/fuzz" >&2
  exit 1
fi
share=$(((seconds + ${#targets[@]} - 1) / ${#targets[@]}))
for target in "${targets[@]}"; do
  name=$(basename "$target")
  grown=$build/grown/$name
  mkdir -p "$grown"
  seeds=()
  for folder in "tests/fuzz/corpus/${name%_fuzzer}" "$build/corpus/${name%_fuzzer}"; do
    [[ -d $folder ]] && seeds+=("$folder")
  done
  [[ ${#seeds[@]} -gt 0 ]] || { echo "$name has no seed corpus in tests/fuzz/corpus" >&2; exit 1; }
  if ! log=$("$target" -max_total_time="$share" -rss_limit_mb=2048 -timeout=10 -print_final_stats=1 \
      -artifact_prefix="$build/$name-" "$grown" "${seeds[@]}" 2>&1); then
    tail -n 40 <<<"$log"
    echo "$name FAILED" >&2
    exit 1
  fi
  echo "$name: $(grep -o 'number_of_executed_units: [0-9]*' <<<"$log" | grep -o '[0-9]*') inputs in $share s, no crash"
done
