#!/usr/bin/env bash
# Comments cite pages under docs/ by path, and their sections and formulas by number ("docs/models/cim.md, section 5",
# "docs/models/cim.md (6.2)"). Every page, section and formula that is cited must exist.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0
sources=$(find . \( -path ./build -o -path ./.git \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print)
# A citation may be broken by the end of a line: comments are joined first.
cited=$(awk 'FNR == 1 {printf "\n"} {sub(/^ *\/\/\/?/, ""); printf "%s ", $0}' $sources |
        grep -oE 'docs/[A-Za-z0-9_/-]+[.]md((,| )+(sections? )?\(?[0-9]+[a-z]?([.][0-9]+)?\)?)?' | sort | uniq -c || true)
[[ -n $cited ]] || { echo "no citation found"; exit 1; }
while read -r count page rest; do
  page=${page%,}
  if [[ ! -f $page ]]; then
    echo "$page is cited $count times and does not exist"
    status=1
    continue
  fi
  number=$(grep -oE '[0-9]+[a-z]?([.][0-9]+)?' <<<"$rest" || true)
  [[ -n $number ]] || continue
  if [[ $number == *.* ]]; then pattern="^ +\(${number//./[.]}\)"; else pattern="^#+ $number[. ]"; fi
  grep -qE "$pattern" "$page" || { echo "$page has no section or formula $number"; status=1; }
done <<<"$cited"
echo "$(grep -c . <<<"$cited") different citations looked at"
exit $status
