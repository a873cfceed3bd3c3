#!/usr/bin/env bash
# Prints the number of compilers that may run in parallel: at most one per core and one per 2 GiB of available
# memory, but at least one.
set -euo pipefail
cores=$(nproc)
available_kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo 2>/dev/null || echo 4194304)
by_memory=$((available_kib / (2 * 1024 * 1024)))
jobs=$((cores < by_memory ? cores : by_memory))
echo $((jobs < 1 ? 1 : jobs))
