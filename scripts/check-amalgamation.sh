#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the single-file embedded solver with every supported compiler, and runs its firmware on emulated
# microcontrollers and Linux targets. Compares the firmware's output with that of `map --profile embedded` on the
# desktop, and prints a table of sizes.
#   scripts/check-amalgamation.sh [DESKTOP_BUILD]     fails if a limit is exceeded or a line differs
# EVERYTHING=1 runs the large machine (miredo-default) on every board, not only on the Cortex-M4F. UPDATE=1 rewrites
# the tables of docs/embedded.md; otherwise they must equal the measurements. ONLY=REGEX selects runs, e.g.
# 'cortex-m3.*miredo'; the words of a run are target, option and cases.
set -euo pipefail
cd "$(dirname "$0")/.."
desktop=${1:-build/release}
out=build/amalgamation
firmware=bindings/c/firmware
jobs=${JOBS:-$(scripts/jobs.sh)}
# Limits published in docs/embedded.md, in bytes. With latency only, the limit on code is lower on the M4F.
most_code=$((64 * 1024)) most_ram=$((64 * 1024)) most_code_latency=$((40 * 1024))
small_stack=4096 default_stack=6144
# Limits on the instructions of nestor_step(problem, work): a constant, and an amount per unit of work.
declare -A step_base=([latency]=100000 [all]=150000) step_unit=([latency]=600 [all]=1000)
networks=mlperf-tiny-dscnn,mlperf-tiny-mobilenetv1,mlperf-tiny-resnet8,mlperf-tiny-autoencoder
# The mapped cases. `tiny`, `energy` and `little` have arrays for 6 memories, 3 axes and 24 loops; the others have the
# default sizes. `unit` is `tiny` in steps of one unit of work. `wide` consists of large layers on machines that use
# the full size of the arrays.
declare -A cases=([tiny]="tiny-embedded:48000:$networks:latency" [energy]="tiny-embedded:48000:$networks:energy"
                  [defaults]="tiny-embedded:48000:$networks:latency"
                  [unit]="tiny-embedded:48000:mlperf-tiny-resnet8:latency"
                  [unit-energy]="tiny-embedded:48000:mlperf-tiny-resnet8:energy"
                  [random]=random:0:600:all [random-latency]=random:1000:600:latency
                  [wide]=wide:0:40:all [wide-latency]=wide:100:40:latency
                  [unit-wide]=wide:0:6:all [unit-wide-latency]=wide:100:6:latency
                  [miredo]="miredo-default:262144:$networks:latency"
                  # The workspace is too small for the search's tables, so hill climbing finds the result.
                  [little]=tiny-embedded:16:mlperf-tiny-resnet8,mlperf-tiny-autoencoder:latency)
small="-DNESTOR_MAX_MEMORIES=6 -DNESTOR_MAX_AXES=3 -DNESTOR_MAX_LOOPS=24"
declare -A maxima=([tiny]=$small [energy]=$small [unit]=$small [unit-energy]=$small [little]=$small)
declare -A extra=([energy]="-DMAY_FALL_SHORT" [random]="-DMAY_FALL_SHORT" [random-latency]="-DMAY_FALL_SHORT"
                  [unit]="-DSTEP_WORK=1" [unit-energy]="-DSTEP_WORK=1 -DMAY_FALL_SHORT" [little]="-DMAY_FALL_SHORT"
                  [wide]="-DMAY_FALL_SHORT" [wide-latency]="-DMAY_FALL_SHORT"
                  [unit-wide]="-DSTEP_WORK=1 -DMAY_FALL_SHORT" [unit-wide-latency]="-DSTEP_WORK=1 -DMAY_FALL_SHORT")

declare -A cc=([gcc]=gcc [clang]=clang [arm-linux]=arm-linux-gnueabihf-gcc [riscv64-linux]=riscv64-linux-gnu-gcc)
declare -A cxx=([gcc]=g++ [clang]=clang++ [arm-linux]=arm-linux-gnueabihf-g++ [riscv64-linux]=riscv64-linux-gnu-g++)
declare -A flags=([gcc]="" [clang]="" [arm-linux]=-static [riscv64-linux]=-static
                  [cortex-m0+]="-mcpu=cortex-m0plus" [cortex-m3]="-mcpu=cortex-m3"
                  [cortex-m4f]="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
                  [cortex-m7]="-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16")
declare -A board=([cortex-m3]=mps2-an385 [cortex-m4f]=mps2-an386 [cortex-m7]=mps2-an500)
for target in cortex-m0+ cortex-m3 cortex-m4f cortex-m7; do
  cc[$target]=arm-none-eabi-gcc cxx[$target]=arm-none-eabi-g++
  flags[$target]="${flags[$target]} -mthumb -DNESTOR_DEVICE"
done
cache=$(command -v ccache || true)
fail() { echo "$*" >>"$folder/failed"; }

# build TARGET OPTION CASES: builds $folder/program from the amalgamation, the firmware and the tables.
build() {
  local target=$1 option=$2 what=$3 objects=$out/objects/$1 common="${maxima[$3]:-} ${flags[$1]}" source
  local stack=$default_stack
  [[ -z ${maxima[$3]:-} ]] || stack=$small_stack
  [[ $option == latency ]] && common+=" -DNESTOR_LATENCY_ONLY"
  mkdir -p "$objects"
  # shellcheck disable=SC2086  # lists of words
  $cache ${cxx[$target]} -std=c++20 -Os -DNDEBUG -Wall -Wextra -Werror -Wno-psabi -fno-exceptions -fno-rtti -fno-threadsafe-statics \
    -ffunction-sections -fdata-sections -ffp-contract=off $common -c "$out/nestor.cpp" -o "$folder/nestor.o"
  # shellcheck disable=SC2086
  for source in main report; do
    ${cc[$target]} -std=c11 -Os -Wall -Wextra -Wpedantic -Werror $common ${extra[$what]:-} -DMOST_STACK=$stack -I"$out" -I$firmware -c $firmware/$source.c -o "$folder/$source.o"
  done
  # shellcheck disable=SC2086
  ${cc[$target]} -std=c11 -Os $common -I"$out" -I$firmware -c "$out/$what.c" -o "$folder/tables.o"
  if [[ $target == cortex-* ]]; then
    # shellcheck disable=SC2086
    for source in startup mps2; do
      ${cc[$target]} -std=c11 -Os -Wall -Wextra -Werror $common -I$firmware -c $firmware/$source.c -o "$folder/$source.o"
    done
    # shellcheck disable=SC2086  # newlib's stubs print warnings
    ${cxx[$target]} ${flags[$target]} -nostartfiles --specs=nosys.specs -Wl,--gc-sections -T $firmware/mps2.ld "$folder"/*.o -o "$folder/program" \
      2>"$folder/link.txt" || cat "$folder/link.txt" >&2
  else
    # shellcheck disable=SC2086
    ${cxx[$target]} ${flags[$target]} "$folder"/*.o -o "$folder/program"
  fi
}

counts() { [[ $1 == tiny || $1 == energy || $1 == defaults || $1 == unit* || $1 == random* || $1 == wide* ]]; }

# run TARGET OPTION CASES: writes the program's output to $folder/printed. Only measured runs count instructions.
run() {
  local counted=()
  counts "$3" && counted=(-icount shift=0)
  case $1 in
    arm-linux) qemu-arm "$folder/program" ;;
    riscv64-linux) qemu-riscv64 "$folder/program" ;;
    cortex-*) timeout 900 qemu-system-arm -M "${board[$1]}" -display none -monitor none -serial none -chardev stdio,id=out \
      -semihosting-config enable=on,target=native,chardev=out "${counted[@]}" -kernel "$folder/program" ;;
    *) "$folder/program" ;;
  esac >"$folder/printed" || fail "the firmware ends with an error"
  diff <(grep -v '^#' "$folder/printed") "$out/$3.expected" >"$folder/diff" || fail "other lines than the desktop's ($folder/diff)"
}

# Code and constants of the solver and of its library functions: the total without the firmware's own part.
code_bytes() {
  local all own
  all=$(arm-none-eabi-size "$folder/program" | awk 'NR == 2 {print $1 + $2}')
  own=$(arm-none-eabi-size "$folder"/{main,report,tables,startup,mps2}.o | awk 'NR > 1 {sum += $1 + $2} END {print sum}')
  echo $((all - own))
}
figure() { sed -n "s/^# $1 //p" "$folder/printed" 2>/dev/null || true; }

# Largest stack use of any call.
stack() { sed -n 's/^# stack of [a-z_]* //p' "$folder/printed" 2>/dev/null | sort -n | tail -1; }

measure() { # TARGET OPTION CASES: writes a row of the table
  local code ram step work=1000 most
  code=$(code_bytes) ram=$(figure 'bytes of the arena in use') step=$(figure 'instructions of the longest step')
  ((code <= most_code)) || fail "$code bytes of code, more than $most_code"
  [[ $1.$2 != cortex-m4f.latency || $code -le $most_code_latency ]] || fail "$code bytes of code, more than $most_code_latency"
  [[ -z ${maxima[$3]:-} ]] || ((${ram:-0} <= most_ram)) || fail "$ram bytes of memory, more than $most_ram"
  [[ $3 != unit* ]] || work=1
  most=$((step_base[$2] + work * step_unit[$2]))
  ((${step:-0} <= most)) || fail "$step instructions in a step of $work units, more than $most"
  printf '%-11s %-8s %-14s %7s %7s %7s %6s %10s %10s %15s %15s\n' "$1" "$2" "$3" "$code" "$(figure 'bytes of state')" "${ram:--}" "$(stack)" \
    "$(figure 'instructions of the longest create')" "${step:-}" "$(figure 'instructions of the longest layer')" \
    "$(figure 'instructions of all layers')" >"$folder/row"
  # The search for latency must use only integers.
  if [[ $2 == latency && $1 == cortex-m[034]* ]] && arm-none-eabi-nm "$folder/program" | grep -qE '__aeabi_(c?d[a-z]|[a-z]+2[df]|f[a-z0-9])'; then
    fail "latency alone computes with doubles"
  fi
}

check() { # TARGET OPTION CASES
  folder=$out/$1.$2.$3
  rm -rf "$folder"
  mkdir -p "$folder"
  fail "does not build" # removed again if the build succeeds
  build "$@"
  rm "$folder/failed"
  [[ $1 == cortex-m0+ ]] || run "$@"
  if [[ $1 == cortex-* ]] && counts "$3"; then measure "$@"; fi
}

scripts/amalgamate.sh "$out"
runs=()
for target in gcc clang arm-linux riscv64-linux; do runs+=("$target all tiny" "$target all random" "$target latency random-latency"); done
runs+=("riscv64-linux all miredo")
for option in latency all; do
  for target in cortex-m0+ cortex-m3 cortex-m4f cortex-m7; do runs+=("$target $option tiny"); done
done
runs+=("cortex-m3 all energy" "cortex-m4f all energy" "cortex-m7 all energy")
runs+=("cortex-m4f all defaults" "cortex-m4f latency unit" "cortex-m4f all unit-energy")
for target in cortex-m3 cortex-m4f cortex-m7; do runs+=("$target all random" "$target latency random-latency"); done
runs+=("cortex-m4f all wide" "cortex-m4f latency wide-latency" "cortex-m4f all unit-wide" "cortex-m4f latency unit-wide-latency")
runs+=("cortex-m4f latency miredo" "gcc latency little" "cortex-m3 latency little" "cortex-m4f all little")
[[ -z ${EVERYTHING:-} ]] || runs+=("cortex-m3 latency miredo" "cortex-m7 all miredo")
if [[ -n ${ONLY:-} ]]; then mapfile -t runs < <(printf '%s\n' "${runs[@]}" | grep -E "$ONLY"); fi

[[ -n ${ONLY:-} ]] || rm -rf "$out"/*.*.*/ # results of earlier runs
for what in $(printf '%s\n' "${runs[@]}" | awk '{print $3}' | sort -u); do
  "$desktop/tests/firmware/firmware_tables" "${cases[$what]}" >"$out/$what.c"
  "$desktop/tests/firmware/firmware_expected" "${cases[$what]}" >"$out/$what.expected" || exit 1
done
for words in "${runs[@]}"; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n || true; done
  # shellcheck disable=SC2086
  check $words &
done
wait

printf '%-11s %-8s %-14s %7s %7s %7s %6s %10s %10s %15s %15s\n' target option maps code state RAM stack create step 'longest layer' 'all layers'
status=0
for words in "${runs[@]}"; do
  folder=$out/${words// /.}
  [[ ! -e $folder/row ]] || cat "$folder/row"
  if [[ -e $folder/failed ]]; then
    sed "s/^/FAILED: $words: /" "$folder/failed" >&2
    status=1
  fi
done
if [[ -z ${ONLY:-} ]]; then scripts/embedded-tables.sh "$out" docs/embedded.md ${UPDATE:+update} || status=1; fi
echo "RAM: state and workspace; both in bytes, as code (with constants) and stack (of any call); the rest in instructions"
exit $status
