#!/usr/bin/env bash
# Builds the .deb and .tar.gz with CPack and looks inside: the tool, the libraries, a header, the CMake package
# and the licence must be there, and the packed tool must run from where it was unpacked.
#   scripts/check-packages.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$build" && cpack -B "$out" >/dev/null)
deb=$(find "$out" -maxdepth 1 -name '*.deb')
tarball=$(find "$out" -maxdepth 1 -name '*.tar.gz')

expected='bin/nestor$ lib/.*libnestor_solver_engine\.a$ include/nestor/model/loopnest/mapping\.h$
          nestor-config\.cmake$ nestor-targets\.cmake$ doc/nestor/LICENSE$ share/nestor/'
for list in "$(dpkg-deb --contents "$deb")" "$(tar -tzf "$tarball")"; do
  for pattern in $expected; do
    grep -qE "$pattern" <<<"$list" || { echo "a package lacks $pattern" >&2; exit 1; }
  done
done
dpkg-deb --info "$deb" | grep -E '^ (Package|Version|Depends):'
grep -q libtbb <<<"$(dpkg-deb --field "$deb" Depends)" || { echo "the .deb does not depend on libtbb" >&2; exit 1; }
mkdir "$out/tree" && tar -xzf "$tarball" -C "$out/tree" --strip-components=1
"$out/tree/bin/nestor" --version
echo "packages: $(basename "$deb") and $(basename "$tarball") are complete"
