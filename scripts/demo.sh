#!/usr/bin/env bash
# The main job, shown: what `make demo` runs.
#   scripts/demo.sh NESTOR
set -euo pipefail
cd "$(dirname "$0")/.."
nestor=$1
show() { printf '\n$ nestor %s\n' "$*"; "$nestor" "$@"; }
show --version
