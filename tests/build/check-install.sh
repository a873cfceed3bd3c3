#!/usr/bin/env bash
# Installs the build and moves the installed files to another prefix. Then builds and runs the programs of
# docs/library.md, with find_package(nestor) and with pkg-config. They must use the data in the moved prefix
# and not the data of the source tree.
#   check-install.sh BUILD_DIR CONSUMER_DIR COMPILER SANITIZERS
set -euo pipefail
build=$1 consumer=$2 compiler=$3 sanitizers=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset NESTOR_DATA
cmake --install "$build" --prefix "$scratch/first" >/dev/null
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved
# Files that users compile must state their licence.
find "$prefix" -regex '.*\.\(h\|hpp\|c\|cpp\)' | while read -r source; do grep -q SPDX "$source" || { echo "$source has no SPDX line"; exit 1; }; done
# Every link of an installed page to a file leads to an installed file.
while IFS=: read -r page link; do
  [[ -e $(dirname "$page")/$link ]] || { echo "$page links to $link, which is not installed" >&2; exit 1; }
done < <(find "$prefix/share/doc" -name '*.md' -exec grep -HoP '\]\(\K[^)#:]+(?=[)#])' {} +)
# The name only-here exists only in the moved prefix.
cp "$prefix/share/nestor/architectures/miredo-default.yaml" "$prefix/share/nestor/architectures/only-here.yaml"

cmake -S "$consumer" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_C_FLAGS="${sanitizers:+-fsanitize=$sanitizers}" -DCMAKE_CXX_FLAGS="${sanitizers:+-fsanitize=$sanitizers}" \
  -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$scratch/build"
"$scratch/build/map_c" only-here resnet18 >"$scratch/in_c"
"$scratch/build/map_cpp" only-here resnet18 >"$scratch/in_cpp"
diff "$scratch/in_c" "$scratch/in_cpp"
[[ $(grep -c ': optimal, ' "$scratch/in_c") == $(grep -c ' cycles$' "$scratch/in_c") ]]
grep -qE '^  for K in 0\.\.[0-9]+: I in [^ ]+, W in [^ ]+, O in [^ ]+$' "$scratch/in_c"
for program in map.c map.cpp; do [[ $(wc -l <"$consumer/$program") -le 30 ]]; done
cp "$prefix/share/nestor/architectures/upmem.yaml" "$prefix/share/nestor/architectures/dpus-here.yaml"
"$scratch/build/estimate_c" dpus-here >"$scratch/estimated"
grep -q '^[0-9.]* ms, [0-9]* cycles' "$scratch/estimated"
"$scratch/build/estimate_cpp" dpus-here | grep -q '^best {'
if "$scratch/build/estimate_c" dpus-here '{(1),(64),(16),(63)}' 2>"$scratch/message"; then exit 1; fi
[[ -s $scratch/message ]]

# Runs several verbs through nestor_run.hpp. The tool reads their results and confirms them.
(cd "$scratch" && build/verbs only-here >verbs.out)
[[ $(grep -cE '^(map|compile|schedule): optimal, .* gap 0$' "$scratch/verbs.out") == 3 ]]
grep -q '^verify: confirmed$' "$scratch/verbs.out"
grep -q '^stopped: interrupted, 16 layers$' "$scratch/verbs.out"
grep -qE "^input error in line 3: <network>.yaml:3:[0-9]+: .*K is -1" "$scratch/verbs.out"
"$prefix/bin/nestor" verify "$scratch/mapped.json" >/dev/null
grep -q Content-Security-Policy "$scratch/mapped.html"
energy=$(sed -n 's/^  evaluate: \(.*\) pJ$/\1/p' "$scratch/verbs.out")
grep -qF "map: optimal, objective $energy, " "$scratch/verbs.out"

# Compiles the examples with the flags from pkg-config, if it is installed.
if command -v pkg-config >/dev/null && [[ -z $sanitizers ]]; then
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name nestor.pc)") pkg-config --cflags --libs nestor)
  library=$(dirname "$(find "$prefix" -name libnestor.so)")
  # shellcheck disable=SC2086  # a list of words
  cc "$consumer/map.c" $flags -Wl,-rpath,"$library" -o "$scratch/by_pc"
  "$scratch/by_pc" only-here resnet18 | diff - "$scratch/in_c"
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name nestor_run.pc)") pkg-config --cflags --libs nestor_run)
  # shellcheck disable=SC2086  # a list of words
  "$compiler" -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Werror "$consumer/verbs.cpp" $flags
fi

"$prefix/bin/nestor" --version
"$prefix/bin/nestor" show only-here >/dev/null
# Without the data, the error names NESTOR_DATA, and a source tree is not searched.
mv "$prefix/share/nestor" "$scratch/data"
if "$prefix/bin/nestor" show miredo-default 2>"$scratch/message"; then exit 1; fi
grep -q NESTOR_DATA "$scratch/message"
if "$scratch/build/map_c" miredo-default resnet18 2>"$scratch/message"; then exit 1; fi
grep -q NESTOR_DATA "$scratch/message"
NESTOR_DATA=$scratch/data "$scratch/build/map_c" only-here resnet18 | diff - "$scratch/in_c"
