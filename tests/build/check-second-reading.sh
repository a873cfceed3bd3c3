#!/usr/bin/env bash
# The second reading of the chip model stands in a room that sees all of model/chip, where the types are. Its
# files may include these, and nothing that computes.
set -euo pipefail
types='machine|network|function|decisions|evaluation'
if grep -nE '^#include "' "$1"/*.h "$1"/*.cpp | grep -vE "\"model/chip/(second_reading/[a-z_]+|$types)\.h\""; then
  echo "the second reading includes more than types" >&2
  exit 1
fi
# Headers of types that also compute a little: what they offer is not called.
if grep -nE 'needed_row|cycles_for|floor_divide|ceil_divide|noc_cost|allowed\(|offered\(' "$1"/*.h "$1"/*.cpp; then
  echo "the second reading calls what it is to check" >&2
  exit 1
fi
