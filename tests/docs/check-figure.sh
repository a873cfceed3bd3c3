#!/usr/bin/env bash
# Is the figure of docs/models/cim.md the one its command draws?
#   tests/docs/check-figure.sh NESTOR
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/scripts/overlap-figure.sh" "$1" | cmp - "$root/docs/models/overlap.svg"
