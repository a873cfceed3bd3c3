#!/usr/bin/env bash
# Comparison of the cost of a search in two builds. It counts the instructions of `nestor map`, which other
# work on the machine does not affect.
#   bench/compare_builds.sh OLD_BUILD NEW_BUILD ["NETWORK ARCH OBJECTIVE LAYER"...]
# It needs valgrind, and prints one line per run and the median of the ratios.
set -euo pipefail
old=$1 new=$2
shift 2
runs=("$@")
if [[ ${#runs[@]} == 0 ]]; then
  for objective in latency energy edp pareto; do
    for arch in miredo-default miredo-table4 jia-2020; do
      runs+=("resnet18 $arch $objective conv3_1_b" "vgg16 $arch $objective conv5_1" "vit-b16 $arch $objective context")
    done
  done
fi
instructions() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1/app/nestor" map "$2" --arch "$3" --objective "$4" \
    --layer "$5" --threads 1 2>&1 >/dev/null | sed -n 's/.*refs: *//p' | tr -d ,
}
ratios=()
for run in "${runs[@]}"; do
  read -r network arch objective layer <<<"$run"
  before=$(instructions "$old" "$network" "$arch" "$objective" "$layer")
  after=$(instructions "$new" "$network" "$arch" "$objective" "$layer")
  ratios+=("$(awk "BEGIN {printf \"%.3f\", $after / $before}")")
  printf '%-9s %-15s %-8s %-10s %14s %14s  %s\n' "$network" "$arch" "$objective" "$layer" "$before" "$after" "${ratios[-1]}"
done
printf '%s\n' "${ratios[@]}" | sort -n | awk '{all[NR] = $1} END {print "median", all[int((NR + 1) / 2)], "of", NR}'
