#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the tables of sizes and stacks of docs/embedded.md from the measurements of scripts/check-amalgamation.sh.
#   scripts/embedded-tables.sh OUT PAGE          fails if a figure of the page is more than 1 % off
#   scripts/embedded-tables.sh OUT PAGE update   writes the tables into the page
set -euo pipefail
out=$1 page=$2
commas() { sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta'; }
declare -A core=([cortex-m3]=Cortex-M3 [cortex-m4f]=Cortex-M4F [cortex-m7]=Cortex-M7)
declare -A option=([latency]="latency only" [all]="all objectives")

sizes() {
  local target kind what code
  echo "| core | option | arrays | objective | code | state | RAM | stack | create | step of 1,000 | longest layer | all layers |"
  echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
  for target in cortex-m3 cortex-m4f cortex-m7; do
    for what in "latency tiny" "all tiny" "all energy" "all defaults"; do
      kind=${what% *} what=${what#* }
      [[ -e $out/$target.$kind.$what/row ]] || continue
      # Columns of a row: target option maps code state RAM stack create step longest all.
      read -r _ _ _ code state ram stack create step longest all <"$out/$target.$kind.$what/row"
      echo -n "| ${core[$target]} | ${option[$kind]} | $([[ $what == defaults ]] && echo 16/8/64 || echo 6/3/24)"
      echo -n " | $([[ $what == energy ]] && echo energy || echo latency)"
      for code in "$code" "$state" "$ram" "$stack" "$create" "$step"; do echo -n " | $(commas <<<"$code")"; done
      for code in "$longest" "$all"; do echo -n " | $(commas <<<$(((code + 500000) / 1000000))) M"; done
      echo " |"
    done
  done
}

# Maximum over all runs of a core with one size of arrays; `random`, `wide` and `defaults` have the default size.
most_stack() { # CORE small|default CALL
  local folder
  for folder in "$out/$1".*/; do
    case $folder in
      *random* | *wide* | *defaults* | *miredo*) [[ $2 == default ]] || continue ;;
      *) [[ $2 == small ]] || continue ;;
    esac
    sed -n "s/^# stack of $3 //p" "$folder/printed" 2>/dev/null || true
  done | sort -n | tail -1 | commas
}
stacks() {
  local call target size
  echo "| call | M3, 6/3/24 | M3, 16/8/64 | M4F, 6/3/24 | M4F, 16/8/64 | M7, 6/3/24 | M7, 16/8/64 |"
  echo "|---|---|---|---|---|---|---|"
  for call in nestor_workspace_bytes nestor_create nestor_step nestor_get_mapping nestor_evaluate; do
    echo -n "| \`$call\`"
    for target in cortex-m3 cortex-m4f cortex-m7; do
      for size in small default; do echo -n " | $(most_stack "$target" "$size" "$call")"; done
    done
    echo " |"
  done
}

made=$(mktemp)
trap 'rm -f "$made"' EXIT
# In the page, each table extends from its first line to the next line outside a table.
for table in sizes stacks; do
  "$table" >"$made"
  first=$(head -1 "$made")
  if [[ ${3:-} == update ]]; then
    awk -v first="$first" -v made="$made" '
      $0 == first { while ((getline line <made) > 0) print line; skip = 1 }
      skip && !/^\|/ { skip = 0 }
      !skip' "$page" >"$page.new"
    mv "$page.new" "$page"
    continue
  fi
  awk -v first="$first" '$0 == first { on = 1 } on && !/^\|/ { exit } on' "$page" | diff - "$made" >/dev/null && continue
  awk -v first="$first" '$0 == first { on = 1 } on && !/^\|/ { exit } on' "$page" | paste -d'\t' - "$made" | awk -F'\t' '
    { count = split($1, stated, "|"); if (split($2, measured, "|") != count) { bad = 1; print "another row: " $2; next }
      for (i = 1; i <= count; ++i) {
        a = stated[i]; b = measured[i]; if (a == b) continue
        gsub(/,| M?/, "", a); gsub(/,| M?/, "", b)
        if (a !~ /^[0-9]+$/ || b !~ /^[0-9]+$/ || a - b > 0.01 * b || b - a > 0.01 * b) { bad = 1; print "states" stated[i] "where" measured[i] "is measured:" $2 }
      } }
    END { exit bad }' >&2 || { echo "FAILED: $page, table of $table; UPDATE=1 make firmware rewrites it" >&2; exit 1; }
done
