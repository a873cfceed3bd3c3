#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Test of the shared library. It exports only names that begin with nestor_. An example program maps files
# with it; the tool reads these mappings and computes the same cycles. For a missing file, the example prints
# a message.
#   check-shared.sh LIBRARY EXAMPLE NESTOR
set -euo pipefail
library=$1 example=$2 nestor=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$(dirname "$0")/check-exports.sh" "$library"

"$example" tiny-embedded mlperf-tiny-resnet8 "$scratch/mappings.json" >"$scratch/printed"
! grep -v ': optimal' "$scratch/printed"
"$nestor" evaluate --arch tiny-embedded --layers mlperf-tiny-resnet8 --mapping "$scratch/mappings.json" --json "$scratch/evaluated.json" >/dev/null
grep -o '[0-9]* cycles' "$scratch/printed" | cut -d' ' -f1 >"$scratch/found"
grep -o '"stall_cycles": [0-9]*' "$scratch/evaluated.json" | cut -d' ' -f2 >"$scratch/costs"
[[ -s $scratch/costs ]]
diff "$scratch/found" "$scratch/costs"

if "$example" no-such-machine mlperf-tiny-resnet8 "$scratch/none.json" 2>"$scratch/message"; then exit 1; fi
grep -q no-such-machine "$scratch/message"
