#!/usr/bin/env bash
# Benchmark of the cost of proofs for kernels on near-memory machines. It prints one row per kernel, as a
# table for docs/proofs.md. Seconds are processor times of the search, of the search that writes a proof, and of
# nestor-check. Every row must end with VERIFIED.
#   bench/cnm_check_speed.sh [BUILD_DIR [OPTION...]]     options of nestor map, such as --arch upmem-400 or --top 10
set -euo pipefail
build=$(cd "${1:-build/release}" && pwd)
shift $(($# < 1 ? $# : 1))
options=("$@")
[[ " ${options[*]-} " == *" --arch "* ]] || options+=(--arch upmem)
. "$(dirname "$0")/processor_seconds.sh"

# kernel NAME OPERATION TYPE TYPE TYPE: prints a kernel; the types are those of the two inputs and the output.
kernel() {
  printf 'func.func @%s(%%a: memref<%s>, %%b: memref<%s>, %%c: memref<%s>) {\n' "$1" "$3" "$4" "$5"
  printf '  linalg.%s ins(%%a, %%b : memref<%s>, memref<%s>) outs(%%c : memref<%s>)\n  return\n}\n' "$2" "$3" "$4" "$5"
}
row() { # NAME KERNEL...: measures a kernel and prints its row
  kernel "${@:2}" >"$work/kernel.mlir"
  local search=("$build/app/nestor" map "$work/kernel.mlir" "${options[@]}")
  local plain logged followed time programs
  plain=$(seconds "${search[@]}" --json "$work/result.json")
  logged=$(seconds "${search[@]}" --json "$work/result.json" --proof "$work/proof")
  followed=$(seconds "$build/check/nestor-check" "$work/result.json" --proof "$work/proof")
  time=$(sed -n 's/^  "lower_bound_ms": \([0-9.]*\).*/\1/p' "$work/result.json")
  programs=$(sed -n 's/.*of their [a-z]* \([0-9]*\) are illegal, \([0-9]*\) closed by bounds, \([0-9]*\) [es].*/\1 | \2 | \3/p' "$work/said")
  printf '| %s | %.4f | %s | %s | %d | %s | %s | %s |\n' "$1" "$time" "$plain" "$logged" "$(stat -c %s "$work/proof")" \
    "$followed" "$programs" "$(tail -1 "$work/said" | cut -d: -f1)"
}
printf '| kernel, i32, %s | time, ms | map, s | with proof, s | proof, bytes | followed, s | illegal | bounded | estimated | verdict |\n' "${options[*]}"
printf '|---|---|---|---|---|---|---|---|---|---|\n'
row 'va 4096' va add 4096xi32 4096xi32 4096xi32
row 'va 67108864' va add 67108864xi32 67108864xi32 67108864xi32
row 'gemv 256 x 512' gemv matvec 256x512xi32 512xi32 256xi32
row 'gemv 1000 x 1500' gemv matvec 1000x1500xi32 1500xi32 1000xi32
row 'gemv 8192 x 8192' gemv matvec 8192x8192xi32 8192xi32 8192xi32
row 'gemm 16 x 16 x 16' gemm matmul 16x16xi32 16x16xi32 16x16xi32
row 'gemm 256 x 256 x 256' gemm matmul 256x256xi32 256x256xi32 256x256xi32
row 'gemm 8192 x 512 x 8192' gemm matmul 8192x512xi32 512x8192xi32 8192x8192xi32
