#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the example of the C API outside the source tree, as another project would: with the command
# of the README, and as a C program linked with the single source file.
#   check-single-file.sh CXX CC
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
# Simulates a source archive: a copy without git data.
mkdir tree
cp -r "$root"/{base,solver,model,heuristics,mapper,bindings,scripts,CMakeLists.txt} tree
GIT_DIR=/nonexistent tree/scripts/amalgamate.sh . >/dev/null
cp "$root/bindings/c/example.c" .

command=$(grep -E '^c\+\+ .*nestor\.cpp example\.c' "$root/README.md")
eval "${command/#c++/$1}" 2>warnings || { cat warnings; exit 1; }
./example >found
grep -q optimal found

# With every option of docs/embedded.md (step 3), the example compiles without warnings about its printf
# formats.
small="-DNESTOR_MAX_MEMORIES=6 -DNESTOR_MAX_AXES=3 -DNESTOR_MAX_LOOPS=24"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wformat=2 -Werror"
for options in "" -DNESTOR_LATENCY_ONLY "$small" "-DNESTOR_LATENCY_ONLY $small"; do
  # shellcheck disable=SC2086  # lists of words
  "$1" -std=c++20 -Os -Wall -Wextra -Werror -fno-exceptions -fno-rtti $options -c nestor.cpp
  for standard in c99 c11 c17; do
    # shellcheck disable=SC2086
    "$2" -std=$standard $warnings $options -c example.c
    "$1" example.o nestor.o -o in_c
    # With smaller states, an arena stores more of them. The solution is the same, but the number of bytes
    # differs.
    ./in_c | sed 's/; .*//' | diff - <(sed 's/; .*//' found)
  done
  # Formats that are correct on this machine can be wrong on targets with other integer types.
  command -v arm-none-eabi-gcc >/dev/null || continue
  # shellcheck disable=SC2086
  arm-none-eabi-gcc -std=c11 -mcpu=cortex-m4 -mthumb $warnings $options -c example.c -o for_arm.o
done
# The core calls no function of the C++ runtime: it uses no heap and no exceptions.
if nm --undefined-only nestor.o | grep -E ' (malloc|free|_Zn[wa]|_Zd[la]|__cxa|_ZSt)'; then exit 1; fi
