#!/usr/bin/env bash
# Checks that the figure of docs/models/cim.md equals the output of scripts/overlap-figure.sh.
#   tests/docs/check-figure.sh NESTOR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/scripts/overlap-figure.sh" "$1" | cmp - "$root/docs/models/overlap.svg"
