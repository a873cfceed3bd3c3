#!/usr/bin/env bash
# check-references.sh SOURCE_DIR: checks that comments and pages name only files that exist. CHANGELOG.md is
# exempt, since it describes past states. Two kinds of words count as names: a file name with the extension of a
# source, a script or a page, alone or after part of its path; and a path that begins with a top-level folder.
# Words in capitals are placeholders (app/VERB.cpp).
set -euo pipefail
export LC_ALL=C
cd "$1"
files=$(find . -type f -not -path './build/*' -not -path './.git/*' | sed 's#^\./##')
tops=$(sed -n 's#/.*##p' <<<"$files" | grep -v '^\.' | sort -u | paste -sd'|')
made='(^|/)nestor\.(h|cpp)$' # written by scripts/amalgamate.sh to any folder

before='(?<![\w./*{}$<-])(?:\.\./)*\K'
name="$before"'(?:[\w-]+/)*[\w-]+\.(?:h|cpp|sh|md|svg|cmake|awk)(?![\w*.-])'
name+="|$before(?:$tops)/[\\w./-]*\\w(?![\\w*{}-])"
read_files=$(grep -vE '^(data|tests/(bad_inputs|cli/scenes))/|^CHANGELOG.md$' <<<"$files")
of_kind() { grep -E "$1" <<<"$read_files" | tr '\n' '\0' | xargs -0 grep -HoE "$2" || true; } # FILES TEXT: "file:text"
said=$(
  of_kind '\.md$' '.*'
  of_kind '\.(h|cpp|c)$' '//.*'
  of_kind '\.(sh|cmake|awk)$|(^|/)(CMakeLists.txt|Makefile)$' '(^| )#.*'
)
named=$(grep -noP "^[^:]*(?=:)|$name" <<<"$said" |
  awk -F: '$1 != line { line = $1; file = $2; next } { print file, $2 }' | sort -u)
(($(wc -l <<<"$named") > 300)) || { echo "too few file names found"; exit 1; }

# Valid names: a path or its last components, a path without its extension, a folder.
awk -v made="$made" '
  NR == FNR {
    path = $0
    stem = path; sub(/\.[a-z]+$/, "", stem); known[stem]
    for (end = path; ; sub(/^[^\/]*\//, "", end)) { known[end]; if (end !~ /\//) break }
    for (folder = path; sub(/\/[^\/]*$/, "", folder);) known[folder]
    next
  }
  $2 ~ made || $2 ~ /(^|[\/_])[A-Z]+([\/-]|\.[a-z]+$|$)/ || $2 in known { next }
  { print $1 " names " $2 ", which does not exist"; wrong = 1 }
  END { exit wrong }' <(echo "$files") <(echo "$named")
