#!/usr/bin/env bash
# Checks the citations in comments. They cite pages by path, and sections and formulas of pages by number or
# title ("docs/models/cim.md, section 5", "docs/models/cim.md (6.2)", "docs/formats.md, "Result""). Every
# cited page, section and formula must exist. No comment may refer to a page that is not shipped, or to a
# numbered table, equation or algorithm of a paper. Conversely, if a model's page states that the code cites
# its formulas by number, the code must cite each formula.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0
sources=$(find . \( -path ./build -o -path ./.git \) -prune -o \( -name '*.h' -o -name '*.cpp' \) -print)
# A citation may continue on the next line, so the lines of a comment are joined first.
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
    pattern="^(#+ ([0-9]+[a-z]?[. ]+)?|\*\*)${title%\"}"  # a title may also begin a paragraph
  elif number=$(grep -oE '[0-9]+[a-z]?([.][0-9]+)?' <<<"$rest"); then
    pattern="^(#+ ${number//./[.]}[. ]| +\(${number//./[.]}\))"
  fi
  [[ -z $pattern ]] || grep -qE "$pattern" "${cited%,}" || { echo "${cited%,} has no section or formula $rest"; status=1; }
done < <(grep -oE "$page((,| )+(sections? )?\(?[0-9]+[a-z]?([.][0-9]+)?\)?|, \"[^\"]+\")?" <<<"$joined" | sort -u)

# Finds invalid references: pages named without a path, and names of the authors' unpublished notes.
elsewhere=$(grep -nE '(^|[^A-Za-z0-9_/-])(model-(cim|pim|cnm|simd|chip)|(overview|solver|style)\.md|overview, ")' $sources || true)
if [[ -n $elsewhere ]]; then
  echo "comments refer to pages that do not ship:"
  echo "$elsewhere"
  status=1
fi

# Finds references to numbered tables, equations and algorithms of papers. Their content belongs on a page of
# docs/. The papers' integer programs are exempt, since they are implemented equation by equation.
papers=$(grep -nE '(//|^ *\*).*(\bTable [IVX]+\b|\bEqs?[.]|\bAlg[.])' $sources | grep -v '^[^:]*/mip/' || true)
if [[ -n $papers ]]; then
  echo "comments refer to numbers of papers:"
  echo "$papers"
  status=1
fi

# A formula (6.2) of docs/models/SPACE.md must be cited in the modules of SPACE, or elsewhere with the name of
# the page.
formulas=0
for model in docs/models/*.md; do
  tr '\n' ' ' <"$model" | grep -q 'one cites its number' || continue
  space=$(basename "$model" .md)
  rooms="/$space/"
  [[ $space != cim ]] || rooms='/(cim|loopnest)/'
  own=$(grep -vE '^./tests/' <<<"$sources" | grep -E "$rooms" | xargs cat)
  for formula in $(grep -oE '^ +\([0-9]+[a-z]?[.][0-9]+\)' "$model"); do
    formulas=$((formulas + 1))
    grep -qF "$formula" <<<"$own" || grep -qF "$model $formula" <<<"$joined" ||
      { echo "$model $formula is cited nowhere"; status=1; }
  done
done
((formulas >= 70)) || { echo "only $formulas numbered formulas found"; status=1; }
((count >= 50)) || { echo "only $count citations found"; status=1; }
echo "$count different citations and $formulas formulas looked at"
exit $status
