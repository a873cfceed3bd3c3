#!/usr/bin/env bash
# Reads lines "module include-directory..." and fails if a module can include headers of a module on which it
# must not depend. The arrows in ARCHITECTURE.md define the allowed dependencies.
set -euo pipefail
allowed_of() {
  case $1 in
    base*) echo 'base' ;;
    solver/search) echo 'solver/search|base' ;;
    solver/*) echo 'solver/|base' ;;
    model/loopnest) echo 'model/loopnest|solver/search|base' ;;
    model/*) echo 'model/|solver/|base' ;;
    heuristics*) echo 'heuristics|model/|solver/|base' ;;
    mapper*) echo 'mapper|heuristics|model/|solver/|base' ;;
    # Types and costs are in the same modules, except for cim, so this check cannot keep the other simulators from
    # calling functions that compute costs.
    sim*) echo 'sim|model/(chip|cnm|loopnest|pim|workload)$|solver/search|base' ;;
    check*) echo 'check' ;;
    io*) echo 'io|model/|solver/|base' ;;
    report*) echo 'report|check|io|sim|mapper|heuristics|model/|solver/|base' ;;
    *) echo '.*' ;;
  esac
}
status=0
while read -r module directories; do
  allowed=$(allowed_of "$module")
  for directory in $directories; do
    [[ $directory == */modules/* ]] || continue
    name=${directory##*/modules/}  # such as model_cim; underscores in a module's name are ambiguous but harmless
    if [[ ! ${name//_/\/} =~ ^($allowed) ]]; then
      echo "$module sees $name" >&2
      status=1
    fi
  done
done <"$1"
exit $status
