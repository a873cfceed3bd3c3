#!/usr/bin/env bash
# check-walk.sh SOURCE_DIR: checks the table in "The path of one run" of ARCHITECTURE.md. The table lists the
# files through which data passes, with one row for each step and one column for each verb. Every file must
# exist, and no column may visit a folder in two steps.
set -euo pipefail
cd "$1"
status=0 steps=0
declare -A passed=()
while IFS='|' read -r _ step rest; do
  steps=$((steps + 1)) column=0
  while IFS= read -r -d '|' cell; do
    column=$((column + 1))
    for file in $(grep -o '`[^`]*`' <<<"$cell" | tr -d '`' || true); do
      [[ -e $file.h || -e $file.cpp ]] || { echo "the walk names $file, which does not exist"; status=1; continue; }
      folder=${file%/*}
      if [[ ${passed[$column $folder]:-$step} != "$step" ]]; then
        echo "column $column passes $folder in two steps:${passed[$column $folder]}and$step"
        status=1
      fi
      passed[$column $folder]=$step
    done
  done <<<"$rest"
done < <(sed -n '/^| step /,/^$/p' ARCHITECTURE.md | grep '^|' | sed 1,2d)
((steps > 5 && ${#passed[@]} > 15)) || { echo "no walk found in ARCHITECTURE.md"; exit 1; }
exit $status
