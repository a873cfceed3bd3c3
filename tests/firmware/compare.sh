#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares what the firmware prints on the desktop with what is expected of it.
#   compare.sh FIRMWARE EXPECTED CASES...
set -euo pipefail
firmware=$1 expected=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$expected" "$@" >"$scratch/expected"
"$firmware" | grep -v '^#' >"$scratch/printed"
diff "$scratch/expected" "$scratch/printed"
