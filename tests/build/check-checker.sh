#!/usr/bin/env bash
# Whoever follows the rules of one space reads less than 1,500 lines: those of the space and those that it
# shares with others, without blank lines and lines of comment alone. The checker shares no file with the
# rest: its files name no header but their own, and those of a space none of another's.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(check/*.h check/*.cpp check/*/*.h check/*/*.cpp)
if grep -Hn '#include "' "${files[@]}" | grep -v '#include "check/'; then
  echo "a header of another room in the checker"
  exit 1
fi
if grep -rn --include=*.h --include=*.cpp '#include "check/' . --exclude-dir=check --exclude-dir=build; then
  echo "a header of the checker in another room"
  exit 1
fi
count() {
  local lines
  lines=$(cat "${@:2}" | grep -cvE '^[[:space:]]*(//.*)?$')
  echo "nestor-check, $1: $lines lines of code in $(($# - 1)) files"
  ((lines < 1500))
}
# cim has no folder of its own. Of the rest, a chip's rules need what knows no space.
count cim check/*.h check/*.cpp
count chip check/chip/*.h check/chip/*.cpp check/exact.h check/proof_file.h \
  <(sed '/^class LayerCheck/,/^};/d' check/main.cpp)
