#!/usr/bin/env bash
# nestor-check stays below 1,500 lines: all files that it is compiled from, together, without blank lines and lines
# of comment alone. And it shares none of them with the rest: its files name no header but their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(check/*.h check/*.cpp)
if grep -Hn '#include "' "${files[@]}" | grep -v '#include "check/'; then
  echo "a header of another room in the checker"
  exit 1
fi
if grep -rn --include=*.h --include=*.cpp '#include "check/' . --exclude-dir=check --exclude-dir=build; then
  echo "a header of the checker in another room"
  exit 1
fi
lines=$(cat "${files[@]}" | grep -cvE '^[[:space:]]*(//.*)?$')
echo "nestor-check: $lines lines of code in ${#files[@]} files, $(cat "${files[@]}" | wc -l) with comments and blank ones"
((lines < 1500))
