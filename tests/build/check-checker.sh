#!/usr/bin/env bash
# Whoever follows the rules of one space reads less than 1,500 lines, without blank lines and lines of comment alone: on
# a cim machine or a chip those of the space and the pieces that know no space; of pim's, which share the pieces of
# cim, on their own. And the checker shares no file with the rest: its files name no header but their own, and those of
# a space none of another's.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(check/*.h check/*.cpp check/*/*.h check/*/*.cpp)
if grep -Hn '#include "' "${files[@]}" | grep -v '#include "check/'; then
  echo "a header of another room in the checker"
  exit 1
fi
if grep -Hn '#include "check/pim' check/cim/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/cim' check/pim/* check/*.h check/problem.cpp; then
  echo "one space's rules where another's are, or in what both share"
  exit 1
fi
if grep -rn --include=*.h --include=*.cpp '#include "check/' . --exclude-dir=check --exclude-dir=build; then
  echo "a header of the checker in another room"
  exit 1
fi
lines() { cat "$@" | grep -cvE '^[[:space:]]*(//.*)?$'; }
shared=$(lines check/*.h check/*.cpp)
cim=$(lines check/cim/*)
pim=$(lines check/pim/*)
# A chip's rules need of what is shared only numbers, files and the command line.
chip=$(lines check/chip/* check/exact.h check/proof_file.h <(sed '/^class LayerCheck/,/^};/d' check/main.cpp))
echo "nestor-check, lines of code: $shared that know no space, $cim for cim, $pim for pim;" \
  "to read for cim $((shared + cim)), for pim $((shared + pim)), for a chip $chip"
((shared + cim < 1500 && pim < 1500 && chip < 1500))
