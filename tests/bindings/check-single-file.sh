#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A project outside the tree: builds the example with the one command of the README, and a C program against the
# single file. Neither sees anything of the tree.
#   check-single-file.sh CXX CC
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$root/scripts/amalgamate.sh" . >/dev/null
cp "$root/bindings/c/example.c" .

command=$(grep -E '^c\+\+ .*nestor\.cpp example\.c' "$root/README.md")
eval "${command/#c++/$1}" 2>warnings || { cat warnings; exit 1; }
./example >found
grep -q optimal found

"$1" -std=c++20 -Os -Wall -Wextra -Werror -fno-exceptions -fno-rtti -c nestor.cpp
for standard in c99 c11 c17; do
  "$2" -std=$standard -Wall -Wextra -Wpedantic -Wconversion -Werror -c example.c
  "$1" example.o nestor.o -o in_c
  ./in_c | diff - found
done
# The core alone needs no library of C++ but what the compiler adds: no heap, no exceptions.
if nm --undefined-only nestor.o | grep -E ' (malloc|free|_Zn[wa]|_Zd[la]|__cxa|_ZSt)'; then exit 1; fi
