#!/usr/bin/env bash
# Builds the single-file embedded solver with every compiler that must take it, checks its sizes, runs it on
# emulated microcontrollers and Linux targets, and compares what they print with the desktop's.
#   scripts/check-amalgamation.sh [DESKTOP_BUILD]     prints a table; fails where a limit is exceeded or a line differs
set -euo pipefail
cd "$(dirname "$0")/.."
desktop=${1:-build/release}
out=build/amalgamation
firmware=bindings/c/firmware
networks=(mlperf-tiny-dscnn mlperf-tiny-mobilenetv1 mlperf-tiny-resnet8 mlperf-tiny-autoencoder)
most_code=$((64 * 1024)) most_ram=$((128 * 1024))
# What the firmware's machine and layers need; smaller arrays make a smaller state and stack.
maxima=(-DNESTOR_MAX_MEMORIES=5 -DNESTOR_MAX_AXES=2 -DNESTOR_MAX_LOOPS=24)

scripts/amalgamate.sh "$out"
"$desktop/bindings/c/embedded_tables" tiny-embedded "${networks[@]}" >"$out/tables.c"
status=0
fail() { echo "FAILED: $*" >&2; status=1; }

# compile TARGET "C compiler" "C++ compiler" FLAGS... : objects of the solver and the firmware in $out/TARGET
compile() {
  local target=$1 cc=$2 cxx=$3 directory=$out/$1
  shift 3
  mkdir -p "$directory"
  # shellcheck disable=SC2086  # compilers may be several words
  $cxx -std=c++20 -Os -DNDEBUG -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections -Wno-psabi \
    -ffp-contract=off "${maxima[@]}" "$@" -c "$out/nestor.cpp" -o "$directory/nestor.o"
  local source
  for source in main report; do
    # shellcheck disable=SC2086
    $cc -std=c11 -Os -Wall -Wextra -Werror "${maxima[@]}" "$@" -I"$out" -I$firmware -c $firmware/$source.c -o "$directory/$source.o"
  done
  # shellcheck disable=SC2086
  $cc -std=c11 -Os "${maxima[@]}" "$@" -I"$out" -I$firmware -c "$out/tables.c" -o "$directory/tables.o"
}

# The desktop's answer is the model for all others.
compile desktop gcc g++
g++ "$out"/desktop/*.o -o "$out/desktop/firmware"
"$out/desktop/firmware" >"$out/expected.txt" || fail "the desktop does not prove all layers"
same() { # TARGET: its output, but for what only a device says, is the desktop's
  diff <(grep -v '^#' "$out/expected.txt") <(grep -v '^#' "$out/$1.txt") >"$out/$1.diff" || fail "$1 prints something else: $out/$1.diff"
}
"$desktop/bindings/c/firmware_on_desktop" >"$out/library.txt"
same library

compile clang clang clang++
clang++ "$out"/clang/*.o -o "$out/clang/firmware"
"$out/clang/firmware" >"$out/clang.txt" || true
same clang

declare -A emulator=([arm-linux]="qemu-arm -L /usr/arm-linux-gnueabihf" [riscv64-linux]="qemu-riscv64 -L /usr/riscv64-linux-gnu")
declare -A prefix=([arm-linux]=arm-linux-gnueabihf [riscv64-linux]=riscv64-linux-gnu)
for target in arm-linux riscv64-linux; do
  compile $target "${prefix[$target]}-gcc" "${prefix[$target]}-g++"
  "${prefix[$target]}-g++" -static "$out/$target"/*.o -o "$out/$target/firmware"
  ${emulator[$target]%% *} "$out/$target/firmware" >"$out/$target.txt" || true
  same $target
done

printf '%-14s %10s %10s %10s %8s %16s\n' target code state ram stack 'instructions'
declare -A flags=([cortex-m0+]="-mcpu=cortex-m0plus" [cortex-m3]="-mcpu=cortex-m3" [cortex-m4f]="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
                  [cortex-m7]="-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16")
declare -A board=([cortex-m3]=mps2-an385 [cortex-m4f]=mps2-an386 [cortex-m7]=mps2-an500)
for target in cortex-m0+ cortex-m3 cortex-m4f cortex-m7; do
  read -ra words <<<"${flags[$target]}"
  compile "$target" arm-none-eabi-gcc arm-none-eabi-g++ "${words[@]}" -mthumb -DNESTOR_DEVICE
  for source in startup mps2; do
    arm-none-eabi-gcc -std=c11 -Os -Wall -Wextra -Werror "${words[@]}" -mthumb -I$firmware -c $firmware/$source.c -o "$out/$target/$source.o"
  done
  arm-none-eabi-g++ "${words[@]}" -mthumb -nostartfiles --specs=nosys.specs -Wl,--gc-sections -Wl,-Map="$out/$target/map" \
    -T $firmware/mps2.ld "$out/$target"/*.o -o "$out/$target/firmware.elf" 2>/dev/null
  # Code and constants of the solver and of the library functions that it needs: all but the firmware's own.
  all=$(arm-none-eabi-size "$out/$target/firmware.elf" | awk 'NR == 2 {print $1 + $2}')
  own=$(arm-none-eabi-size "$out/$target"/{main,report,tables,startup,mps2}.o | awk 'NR > 1 {sum += $1 + $2} END {print sum}')
  code=$((all - own))
  ((code <= most_code)) || fail "$target: $code bytes of code, more than $most_code"
  state=- ram=- stack=- count=-
  if [[ -n ${board[$target]:-} ]]; then
    timeout 600 qemu-system-arm -M "${board[$target]}" -nographic -semihosting -icount shift=0 -kernel "$out/$target/firmware.elf" >"$out/$target.txt" ||
      fail "$target: the firmware ends with an error"
    same "$target"
    figure() { sed -n "s/^# $1 //p" "$out/$target.txt"; }
    ram=$(figure 'bytes of the arena in use') stack=$(figure 'bytes of stack') count=$(figure 'instructions of the longest layer')
    state=$(figure 'bytes of state')
    ((ram <= most_ram)) || fail "$target: $ram bytes of memory, more than $most_ram"
  fi
  printf '%-14s %10s %10s %10s %8s %16s\n' "$target" "$code" "$state" "$ram" "$stack" "$count"
done
exit $status
