#!/usr/bin/env bash
# check-walk.sh SOURCE_DIR: checks the table in "The path of one run" of ARCHITECTURE.md. The table lists the
# files through which data passes, with one row for each step and one column for each verb. Every file must
# exist, and no column may visit a module in two steps.
set -euo pipefail
cd "$1"
modules=$(find . -name CMakeLists.txt -not -path './build/*' -exec grep -h 'nestor_module(.*' {} + |
  sed -n 's/^ *nestor_module(\([a-z][a-z_/]*\).*/\1/p' | sort -u)
module_of() { # FILE: prints the innermost folder of FILE that is a module
  local folder=${1%/*}
  until grep -qxF "$folder" <<<"$modules"; do
    [[ $folder == */* ]] || { echo "$1 is in no module" >&2; return 1; }
    folder=${folder%/*}
  done
  echo "$folder"
}
status=0 steps=0
declare -A passed=()
while IFS='|' read -r _ step rest; do
  steps=$((steps + 1)) column=0
  while IFS= read -r -d '|' cell; do
    column=$((column + 1))
    for file in $(grep -o '`[^`]*`' <<<"$cell" | tr -d '`' || true); do
      [[ -e $file.h || -e $file.cpp ]] || { echo "the walk names $file, which does not exist"; status=1; continue; }
      module=$(module_of "$file")
      if [[ ${passed[$column $module]:-$step} != "$step" ]]; then
        echo "column $column passes $module in two steps:${passed[$column $module]}and$step"
        status=1
      fi
      passed[$column $module]=$step
    done
  done <<<"$rest"
done < <(sed -n '/^| step /,/^$/p' ARCHITECTURE.md | grep '^|' | sed 1,2d)
((steps > 5 && ${#passed[@]} > 15)) || { echo "no walk found in ARCHITECTURE.md"; exit 1; }
exit $status
