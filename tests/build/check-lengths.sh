#!/usr/bin/env bash
# Checks that every source has fewer than 400 lines, since a file should do one thing.
set -euo pipefail
cd "$(dirname "$0")/../.."
limit=400
find . \( -path ./build -o -path ./.git \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print0 |
  xargs -0 wc -l | awk -v limit=$limit '
    $2 == "total" { next }
    $1 > longest { longest = $1; name = $2 }
    $1 >= limit { print $2 " has " $1 " lines, expected fewer than " limit; wrong = 1 }
    END { print "the longest source is " name " with " longest " lines"; exit wrong }'
