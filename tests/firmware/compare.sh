#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the output of the firmware on the desktop with the expected lines.
#   compare.sh FIRMWARE EXPECTED CASES...
set -euo pipefail
firmware=$1 expected=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$expected" "$@" >"$scratch/expected"
"$firmware" | grep -v '^#' >"$scratch/printed"
diff "$scratch/expected" "$scratch/printed"
