#!/usr/bin/env bash
# Runs clang-tidy ($CLANG_TIDY) on every source of a build. A source is skipped if it passed before with the same
# content, including all project headers that it includes. The build must be configured, but not built. LINT_CHECKS adds
# checks to those of .clang-tidy or removes some: '-clang-analyzer-*' saves half of the time. LINT_SECONDS (0: no limit)
# stops the run and counts the remaining sources. The most recently changed sources come first.
#   scripts/lint.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/dev}
[[ -f $build/compile_commands.json ]] || { echo "lint: $build is not a configured build" >&2; exit 2; }
stamps=${NESTOR_LINT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nestor/lint}
limit=${LINT_SECONDS:-0}
export CLANG_TIDY=${CLANG_TIDY:-clang-tidy-22}
mkdir -p "$stamps"

export LINT_CHECKS=${LINT_CHECKS:-}

settings=$("$CLANG_TIDY" --version | sha256sum; echo "$LINT_CHECKS"; git ls-files -co --exclude-standard '*.clang-tidy' | xargs cat | sha256sum)

# Prints "path<TAB>digest" for each source of the build. The digest covers the source and the project headers it
# includes.
digests() {
  {
    git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs -r sha256sum | sed 's/^/digest /'
    git grep --untracked -oE '^#include "[^"]+"' -- '*.h' '*.cpp' | sed -E 's/^([^:]+):#include "(.*)"$/include \1 \2/'
    grep -oE '"file": "[^"]+"' "$build/compile_commands.json" | sed -E "s#\"file\": \"$PWD/(.*)\"#source \1#" | grep -v ' build/'
  } | awk '
    $1 == "digest" { digest[$3] = $2 }
    $1 == "include" { includes[$2] = includes[$2] " " $3 }
    $1 == "source" && !($2 in wanted) { wanted[$2] = 1; order[++count] = $2 }
    function visit(file,   parts, n, k, path) {
      if (file in seen) return
      seen[file] = 1
      text = text digest[file]
      n = split(includes[file], parts, " ")
      for (k = 1; k <= n; ++k) {
        path = parts[k] in digest ? parts[k] : "tests/" parts[k]
        if (path in digest) visit(path)
      }
    }
    END {
      for (i = 1; i <= count; ++i) {
        if (!(order[i] in digest)) continue
        delete seen; text = ""
        visit(order[i])
        print order[i] "\t" text
      }
    }'
}

by_change() {
  awk -F'\t' 'NR == FNR { if (!($1 in rank)) rank[$1] = NR; next } { print ($1 in rank ? rank[$1] : 1e9) "\t" $0 }' \
    <(git ls-files -mo --exclude-standard -- '*.cpp'; git log -n 300 --name-only --format= -- '*.cpp') - |
    sort -s -n | cut -f2-
}

sources=0
todo=()
while IFS=$'\t' read -r source text; do
  stamp=$stamps/$(printf '%s%s%s' "$settings" "$source" "$text" | sha256sum | cut -c1-32)
  sources=$((sources + 1))
  [[ -e $stamp ]] || todo+=("$source" "$stamp")
done < <(digests | by_change)

# shellcheck disable=SC2317  # reached through xargs
check() {
  if [[ $4 -gt 0 && $(date +%s) -ge $4 ]]; then echo "$2" >>"$5"; return 0; fi
  if output=$("$CLANG_TIDY" --quiet --checks="$LINT_CHECKS" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-error -p "$1" "$2" 2>/dev/null); then
    touch "$3"
  else
    printf '%s\n' "$output"
    return 1
  fi
}
export -f check

late=$(mktemp)
trap 'rm -f "$late"' EXIT
deadline=$((limit > 0 ? $(date +%s) + limit : 0))
status=0
if [[ ${#todo[@]} -gt 0 ]]; then
  printf '%s\0' "${todo[@]}" |
    xargs -0 -n 2 -P "$(scripts/jobs.sh)" bash -c "check '$build' \"\$1\" \"\$2\" $deadline '$late'" _ || status=1
fi
echo "clang-tidy: $sources sources, $((${#todo[@]} / 2)) of them to check, $(wc -l <"$late") not reached (the last changed sources come first)"
exit $status
