#!/usr/bin/env bash
# Builds the documentation as a static site: all pages, and a page for each verb from its help. The exit status is 1 if
# a link is broken.
#   scripts/site.sh TOOL OUT
set -euo pipefail
tool=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
cd "$(dirname "$0")/.."
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT

# Pages keep their paths in the tree, so that their links remain valid.
git ls-files -- ':(glob)*.md' LICENSE CITATION.cff docs data/schema data/architectures data/plans bindings/c bindings/python tests/consumer \
  'bench/*.svg' | while read -r file; do
  install -D -m 644 "$file" "$pages/$file"
done
verbs=$("$tool" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ -n $verbs ]] || { echo "$tool --help lists no verbs" >&2; exit 1; }
mkdir -p "$pages/docs/verbs"
for verb in $verbs; do
  { printf '# nestor %s\n\n```text\n' "$verb"; "$tool" "$verb" --help; printf '```\n'; } >"$pages/docs/verbs/$verb.md"
done

{
  printf 'site_name: Nestor\nsite_description: Provably optimal mappings onto compute-in-memory and near-memory machines\n'
  printf 'docs_dir: %s\nsite_dir: %s\nuse_directory_urls: false\nstrict: true\ntheme: {name: mkdocs}\nplugins: []\n' "$pages" "$out"
  cat scripts/site-pages.yml
  printf '  - Verbs:\n'
  for verb in $verbs; do printf '    - %s: docs/verbs/%s.md\n' "$verb" "$verb"; done
} >"$pages.yml"
trap 'rm -rf "$pages" "$pages.yml"' EXIT
mkdocs build --quiet --clean --config-file "$pages.yml"
echo "the site is in $out"
