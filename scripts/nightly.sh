#!/usr/bin/env bash
# Runs all checks of `make nightly`; a failure does not stop the other parts. Prints one line per part, with its output
# in build/nightly/PART.log. The lint part is last. Its time is the rest of NIGHTLY_SECONDS (80 minutes), minus one
# minute for the last files, but at least five minutes. Files that it does not reach are counted and remain for the next
# night.
#   scripts/nightly.sh [PART...]      runs only these parts; default: all
set -uo pipefail
cd "$(dirname "$0")/.."
build=build/release
logs=build/nightly
jobs=${JOBS:-$(scripts/jobs.sh)}
mkdir -p "$logs"
begin=$(date +%s)
tests() { ctest --test-dir $build -j "$jobs" --output-on-failure --no-tests=error "$@"; }
# Prints the last line of a log that matches a pattern.
summary() { grep -E "$1" "$2" | tail -1 | sed 's/^ *//'; }

parts=(build tests faults refuted recorded sanitized threads long cluster packages lint)
part_build() { cmake --preset release --log-level=WARNING -DNESTOR_BENCH=ON && cmake --build $build -j "$jobs"; }
part_tests() { tests -LE nightly; }
# Faults are planted in a file-by-file build, so that each fault recompiles few objects.
build_by_file() { cmake --preset dev --log-level=WARNING && cmake --build build/dev -j "$jobs"; }
part_faults() { build_by_file && JOBS=$jobs tests/mutation/plant_faults.sh build/dev; }
# nestor-check must refute the claims and the proofs of a search with a planted fault. A fault that changes no claim in
# any case is counted separately.
part_refuted() {
  local failed=0
  local -x FAULTS='^(model/(cim|loopnest)/(search|space)|solver/search/label_search)' JOBS=$jobs
  build_by_file || return
  TEST=search_claims_test CASES=120 tests/mutation/plant_faults.sh build/dev || failed=1
  TEST=replay_test CASES=24 GTEST_FILTER=Replay.AcceptsTheLogOfTheSearchButNoBetterClaim \
    tests/mutation/plant_faults.sh build/dev || failed=1
  return $failed
}
part_recorded() { JOBS=$jobs tests/recorded/recorded.sh check $build; }
part_sanitized() { NESTOR_WERROR=ON make sanitized; }
part_threads() { NESTOR_WERROR=ON make tsan; }
part_long() { tests -L nightly; }
part_cluster() {
  local status=0
  BUILD=$build scripts/cluster-test.sh || status=$?
  ((status == 77)) || return $status # a dependency is not installed
}
part_packages() { scripts/check-packages.sh $build; }
part_lint() {
  local left=$((${NIGHTLY_SECONDS:-4800} - $(date +%s) + begin))
  LINT_SECONDS=$((left < 360 ? 300 : left - 60)) scripts/lint.sh build/dev
}
declare -A says=(
  [build]='^(\[|ninja:)' [tests]='tests passed' [faults]='faults planted' [refuted]='faults planted' [recorded]='runs compared' [sanitized]='runs compared' [threads]='tests passed' [long]='tests passed' [cluster]='^(postgresql|slurm|guide|scale|faults|measure|skipped:?) '
  [packages]='^packages:' [lint]='^clang-tidy:'
)
status=0
for part in "${@:-${parts[@]}}"; do
  declare -F "part_$part" >/dev/null || { echo "no part '$part', expected ${parts[*]}" >&2; exit 2; }
  since=$(date +%s)
  if "part_$part" >"$logs/$part.log" 2>&1; then result=passed; else result=FAILED; status=1; fi
  printf '%-9s %-6s %5.1f min  %s\n' "$part" "$result" "$(awk "BEGIN {print ($(date +%s) - $since) / 60}")" \
    "$(summary "${says[$part]}" "$logs/$part.log")"
  [[ $part != build || $result == passed ]] || break
done
printf 'nightly   %-6s %5.1f min  logs in %s\n' "$([[ $status == 0 ]] && echo passed || echo FAILED)" \
  "$(awk "BEGIN {print ($(date +%s) - $begin) / 60}")" "$logs"
exit $status
