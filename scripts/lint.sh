#!/usr/bin/env bash
# Runs clang-tidy ($CLANG_TIDY) on every source that a build has compiled, skipping those that passed before with
# the same content (their own and that of every project header they include). LINT_SECONDS (0: none) is a guard for
# slow machines: the files not reached by then are counted and left to the next run. Under it the files come in an
# order drawn with LINT_SEED (today's date), so that every file has its day even where no stamps are kept.
# LINT_CHECKS adds to the checks of .clang-tidy, or takes from them: '-clang-analyzer-*' saves half of the time.
# Sources listed in scripts/lint-later.txt wait for their first lint; they are counted, and the list must only shrink.
#   scripts/lint.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
stamps=${NESTOR_LINT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nestor/lint}
limit=${LINT_SECONDS:-0}
export CLANG_TIDY=${CLANG_TIDY:-clang-tidy-22}
mkdir -p "$stamps"

export LINT_CHECKS=${LINT_CHECKS:-}

settings=$("$CLANG_TIDY" --version | sha256sum; echo "$LINT_CHECKS"; git ls-files -co --exclude-standard '*.clang-tidy' | xargs cat | sha256sum)

# "path<TAB>digest" per source: the digest covers the source and its project headers, as ninja knows them.
digests() {
  ninja -C "$build" -t deps 2>/dev/null | awk -v root="$PWD/" '
    /^[^ ].*: #deps/ { source = ""; next }
    /^    / {
      file = $1
      sub("^([.][.]/)+", root, file)                      # ccache may have made paths relative
      sub("^(.*/)?rooms/[^/]*/", root, file)              # the link a room is seen through
      if (index(file, root) != 1) next
      file = substr(file, length(root) + 1)
      if (file ~ /^build\//) next
      if (source == "") source = file
      print source "\t" file
    }' | sort -u | while IFS=$'\t' read -r source file; do
      [[ $source == *.cpp && -f $file ]] && printf '%s\t%s\n' "$source" "$(content_of "$file")"
    done | awk -F'\t' '{ all[$1] = all[$1] $2 } END { for (s in all) print s "\t" all[s] }' | sort
}
# "path<TAB>digest" lines in the order in which they are checked.
in_order() {
  if ((limit == 0)); then cat; return; fi
  local seed=${LINT_SEED:-$(date -u +%Y%m%d)}
  while IFS= read -r line; do
    printf '%s\t%s\n' "$(cksum <<<"$seed ${line%%$'\t'*}" | cut -d' ' -f1)" "$line"
  done | sort -n | cut -f2-
}
declare -A contents=()
while read -r digest file; do contents[$file]=$digest; done < <(git ls-files -co --exclude-standard '*.h' '*.cpp' |
  xargs -r sha256sum 2>/dev/null)
content_of() { echo "${contents[$1]:-none}"; }

declare -A later=()
if [[ -f scripts/lint-later.txt ]]; then
  while read -r source; do later[$source]=1; done < <(grep -v '^#' scripts/lint-later.txt)
fi
sources=0
todo=()
while IFS=$'\t' read -r source text; do
  [[ -z ${later[$source]:-} ]] || continue
  stamp=$stamps/$(printf '%s%s%s' "$settings" "$source" "$text" | sha256sum | cut -c1-32)
  sources=$((sources + 1))
  [[ -e $stamp ]] || todo+=("$source" "$stamp")
done < <(digests | in_order)

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
echo "clang-tidy: $sources sources, $((${#todo[@]} / 2)) of them to check, $(wc -l <"$late") left to the next run; ${#later[@]} wait for their first (scripts/lint-later.txt)"
exit $status
