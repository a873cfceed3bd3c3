#!/usr/bin/env bash
# Comments cite pages by path, and their sections and formulas by number or title ("docs/models/cim.md, section 5",
# "docs/models/cim.md (6.2)", "docs/formats.md, "Result""). Every page, section and formula that is cited must exist, and
# no comment may refer to a page that does not ship.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0
sources=$(find . \( -path ./build -o -path ./.git \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print)
# A citation may be broken by the end of a line: comments are joined first.
joined=$(awk 'FNR == 1 {printf "\n"} {sub(/^ *\/\/\/?/, ""); printf "%s ", $0}' $sources | tr -s ' ')

page='(docs/[A-Za-z0-9_/-]+|README|ARCHITECTURE|CONTRIBUTING)[.]md'
count=0
while read -r cited rest; do
  count=$((count + 1))
  if [[ ! -f ${cited%,} ]]; then
    echo "${cited%,} is cited and does not exist"
    status=1
    continue
  fi
  pattern=
  if [[ $rest == *\"* ]]; then
    title=${rest#*\"}
    pattern="^(#+ ([0-9]+[a-z]?[. ]+)?|\*\*)${title%\"}"  # a paragraph may open with its title
  elif number=$(grep -oE '[0-9]+[a-z]?([.][0-9]+)?' <<<"$rest"); then
    pattern="^(#+ ${number//./[.]}[. ]| +\(${number//./[.]}\))"
  fi
  [[ -z $pattern ]] || grep -qE "$pattern" "${cited%,}" || { echo "${cited%,} has no section or formula $rest"; status=1; }
done < <(grep -oE "$page((,| )+(sections? )?\(?[0-9]+[a-z]?([.][0-9]+)?\)?|, \"[^\"]+\")?" <<<"$joined" | sort -u)

# Other pages: those named without a path, and names of notes that only their authors have.
elsewhere=$(grep -nE '(^|[^A-Za-z0-9_/-])(model-(cim|pim|cnm|simd|chip)|(overview|solver|style)\.md|overview, ")' $sources || true)
if [[ -n $elsewhere ]]; then
  echo "comments refer to pages that do not ship:"
  echo "$elsewhere"
  status=1
fi
((count >= 50)) || { echo "only $count citations found"; status=1; }
echo "$count different citations looked at"
exit $status
