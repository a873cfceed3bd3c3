#!/usr/bin/env bash
# check-second-reading.sh FOLDER INCLUDES [CALLS]: checks the includes and calls of an independent checker.
# Because types and computations are in the same modules, a checker can include more than it should. The files
# in FOLDER may include only the project headers that INCLUDES allows. They must not call the functions that
# match CALLS, which some headers of types also declare.
set -euo pipefail
if grep -nE '^#include "' "$1"/*.h "$1"/*.cpp | grep -vE "\"($2)\.h\""; then
  echo "the second reading includes more than types" >&2
  exit 1
fi
found=0
[[ -z ${3:-} ]] || grep -nE "$3" "$1"/*.h "$1"/*.cpp || found=$?
if [[ -n ${3:-} && $found != 1 ]]; then  # 1: nothing was found
  echo "the second reading calls what it is to check" >&2
  exit 1
fi
