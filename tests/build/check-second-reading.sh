#!/usr/bin/env bash
# check-second-reading.sh FOLDER INCLUDES: checks the includes of an independent check. Because types and computations
# are in the same modules, it can include more than it should. The files in FOLDER may include only the project headers
# that INCLUDES allows.
set -euo pipefail
if grep -nE '^#include "' "$1"/*.h "$1"/*.cpp | grep -vE "\"($2)\.h\""; then
  echo "the second reading includes more than types" >&2
  exit 1
fi
