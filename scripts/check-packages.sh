#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the .deb packages and the .tar.gz with CPack and checks them: each has the expected content, the packaged tool
# runs from its unpacked folder, binaries are stripped, and lintian reports no error.
#   scripts/check-packages.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
(cd "$build" && cpack -B "$out" >/dev/null)
tarball=$(find "$out" -maxdepth 1 -name '*.tar.gz')
deb_of() { find "$out" -maxdepth 1 -name "$1_*.deb"; }

declare -A expected=(
  [nestor]='bin/nestor$ bin/nestor-check$ lib/.*libnestor\.so\.0([[:space:]]|$) lib/.*libnestor_run\.so\.0([[:space:]]|$) share/nestor/architectures/ man1/nestor\.1\.gz$ man1/nestor-map\.1\.gz$ bash-completion/completions/nestor$'
  [nestor-dev]='lib/.*libnestor\.so([[:space:]]|$) include/nestor\.h$ include/nestor_files\.h$ include/nestor\.hpp$ include/nestor_run\.hpp$ nestor-config\.cmake$
                nestor-targets\.cmake$ pkgconfig/nestor\.pc$ embedded/nestor\.cpp$'
  [nestor-doc]='docs/embedded\.md$ docs/library\.md$ tests/consumer/map\.c$')
for package in "${!expected[@]}"; do
  list=$(dpkg-deb --contents "$(deb_of "$package")")
  for pattern in ${expected[$package]} "doc/$package/copyright\$" "doc/$package/changelog\.gz\$"; do
    grep -qE "$pattern" <<<"$list" || { echo "$package lacks $pattern" >&2; exit 1; }
  done
  dpkg-deb --info "$(deb_of "$package")" | grep -E '^ (Package|Version|Depends):'
done
grep -q libtbb <<<"$(dpkg-deb --field "$(deb_of nestor)" Depends)" || { echo "nestor does not depend on libtbb" >&2; exit 1; }
dpkg-deb --ctrl-tarfile "$(deb_of nestor)" | tar -xO ./triggers | grep -q ldconfig || { echo "nestor does not trigger ldconfig" >&2; exit 1; }
mkdir "$out/tree" && tar -xzf "$tarball" -C "$out/tree" --strip-components=1
"$out/tree/bin/nestor" --version
for binary in bin/nestor bin/nestor-check lib/libnestor.so lib/libnestor_run.so; do
  ! readelf --sections "$out/tree/$binary" | grep -q '\.symtab' || { echo "$binary is not stripped" >&2; exit 1; }
done
lintian --allow-root --fail-on error "$out"/*.deb
echo "packages: nestor, nestor-dev, nestor-doc and $(basename "$tarball") are complete"
