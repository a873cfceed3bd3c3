#!/usr/bin/env bash
# Installs the build into a fresh prefix and builds the consumer project against it with find_package(nestor).
#   check-install.sh BUILD_DIR CONSUMER_DIR COMPILER SANITIZERS
set -euo pipefail
build=$1 consumer=$2 compiler=$3 sanitizers=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cmake -S "$consumer" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="${sanitizers:+-fsanitize=$sanitizers}" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/build"
"$scratch/build/consumer"
"$scratch/prefix/bin/nestor" --version
