#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check-exports.sh LIBRARY: fails if a shared library exports a name that does not begin with nestor_.
set -euo pipefail
exported=$(nm -D --defined-only "$1" | awk '$2 ~ /[TWVBDRu]/ {print $3}')
grep -q '^nestor_' <<<"$exported" || { echo "$1 exports nothing"; exit 1; }
! grep -v '^nestor_' <<<"$exported" || { echo "exported beside the API"; exit 1; }
