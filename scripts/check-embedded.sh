#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the objects of the embedded core: they may not reference heap, exception, iostream, thread or libm symbols. The
# compiler already checks the code with -fno-exceptions and -fno-rtti.
#   scripts/check-embedded.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/embedded}
forbidden='^(malloc|calloc|realloc|free|_Zn[wa]|_Zd[la]|__cxa_(throw|allocate|guard)|_ZSt|_ZNSt|_ZTI|pthread_|printf|abort)|^(log|exp|pow|sqrt|floor|ceil|fma)[fl2]?$|^(log2|exp2|log10)f?$'
objects=$(find "$build" -name '*.a' -o -path '*headers*' -name '*.obj' | sort)
[[ -n $objects ]] || { echo "nothing built in $build" >&2; exit 1; }
status=0
for object in $objects; do
  if found=$(arm-none-eabi-nm --undefined-only "$object" 2>/dev/null | awk '$1 == "U" {print $2}' | sort -u | grep -E "$forbidden"); then
    echo "$object refers to $(tr '\n' ' ' <<<"$found")" >&2
    status=1
  fi
done
archives=$(find "$build" -name '*.a')
# shellcheck disable=SC2086  # a list of words
[[ -z $archives ]] || arm-none-eabi-size --totals $archives | awk '/TOTALS/ {printf "embedded core: %d bytes of code, %d of data\n", $1, $2 + $3}'
exit $status
