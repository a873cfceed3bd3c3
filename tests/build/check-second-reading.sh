#!/usr/bin/env bash
# check-second-reading.sh MODULE INCLUDES [CALLS]: an independent checker can see more than it should use,
# because types and computations are in the same modules. Its files include only project headers that INCLUDES
# allows, and do not call the functions in CALLS, which some headers of types also define.
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
