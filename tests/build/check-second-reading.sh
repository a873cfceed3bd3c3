#!/usr/bin/env bash
# check-second-reading.sh ROOM INCLUDES [CALLS]: a second reading stands in a room that may see more than it should
# use: types and what computes lie side by side. Its files include nothing of the project but what INCLUDES allows,
# and of headers of types that also compute a little they do not call what CALLS names.
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
