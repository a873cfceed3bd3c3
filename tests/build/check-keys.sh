#!/usr/bin/env bash
# check-keys.sh SOURCE_DIR: checks that a JSON key that more than one place in report/ writes or reads is
# defined in report/keys and is quoted nowhere else. A quoted word is a key if it occurs in one of these
# positions: json["key"], the first element of a pair {"key", value}, the argument of a lookup, or an element
# of a list of keys. The argument for a parameter named `key` is also a key, if the function or lambda is
# defined in the same file or declared in a header of report/ or io/.
set -euo pipefail
export LC_ALL=C
cd "$1"
word='"[a-z][a-z0-9_]*"'
before='\[\K'$word'(?=\])'                                                                    # json["key"]
before+='|(?:\{|, )\{ ?\K'$word'(?=, (?!(?:io::)?Align))'                                      # {{"key", value}, ...
before+='|(?:\.|->)(?:at|contains|find|value|erase|number|text|integer|flag|list|word|title|require|count|amount)\( ?\K'$word'(?=[,)])'
before+='|(?<![\w.>:])(?:at|number|compare_json)\( ?\K'$word'(?=[,)])'                         # members of classes that hold the JSON
before+='|(?<![\w.>])(?:put|optional_\w+|number_or|read_points|read_change|add_points|is_table|word)\([^"(),]+, \K'$word'(?=[,)])'
lookups='\[\K'$word'(?=\])' # for report/html, which writes no JSON: its pairs are attributes, columns and terms
lists='(?:\bkey : |keys = |known\.insert\()\{\K[^{}]*(?=\})|require\([^;{}]*, \{\K[^{}]*(?=\})'  # {"key", "key", ...}
string='(?:const char ?\*|std::string_view|const std::string ?&)'
argument='(?:[^(),"{}]|"[^"]*"|\((?:[^()]|\([^()]*\))*\)|\{[^{}]*\})+'
# Prints every match of a pattern in the input. grep -oP would stop at PCRE's limit of backtracking.
all_matches() { perl -ne 'BEGIN { $pattern = shift @ARGV } while (/$pattern/g) { print "$&\n" }' -- "$1"; }
# Prints the name of every function with a parameter `key`, and the number of parameters before `key`.
takers() {
  all_matches '\b\w+(?: ?= ?\[[^\]]*\])? ?\((?:[^(),]+, ?)*'"$string"' key(?=[,) ])' |
    awk -F '(' '{ sub(/ .*/, "", $1); print $1, gsub(/,/, ",", $2) }' | sort -u
}
calls_of() { # TAKERS: prints a pattern that finds the quoted keys in calls of these functions
  local name before pattern=
  while read -r name before; do
    [[ -z $name ]] || pattern+="|(?<![\\w:\"])$name\\( ?(?:$argument, ?){$before}\\K$word(?=[,)])"
  done <<<"$1"
  printf '%s' "$pattern"
}
on_one_line() { sed -E '/^ *#include|^ *\/\//d; s# //.*##' "$1" | tr -s ' \n' ' '; }

named=$(sed -nE 's/^inline constexpr char [a-z0-9_]+\[\] = ("[^"]*");.*/\1/p' report/keys/*.h | sort)
(($(wc -l <<<"$named") > 100)) || { echo "report/keys names no keys"; exit 1; }
status=0
twice=$(uniq -d <<<"$named")
[[ -z $twice ]] || { echo "named twice in report/keys: ${twice//$'\n'/ }"; status=1; }

everywhere=$(calls_of "$(find report io -name '*.h' | sort | while read -r file; do on_one_line "$file"; done | takers)")
[[ -n $everywhere ]] || { echo "no header declares what takes a key"; exit 1; }
found=$(find report -name keys -prune -o \( -name '*.h' -o -name '*.cpp' \) -print | sort | while read -r file; do
  text=$(on_one_line "$file")
  pairs=$before
  [[ $file != report/html/* ]] || pairs=$lookups
  { all_matches "$pairs$everywhere$(calls_of "$(takers <<<"$text")")" <<<"$text"; all_matches "$lists" <<<"$text" | grep -oE "$word" || true; } | sed "s#\$# $file#"
done)
(($(wc -l <<<"$found") > 50)) || { echo "no keys found in report/"; exit 1; }
while read -r key file; do
  if grep -qxF "$key" <<<"$named"; then
    echo "$file spells $key, which has a name in report/keys"
    status=1
  elif (($(grep -c "^$key " <<<"$found") > 1)); then
    echo "$file spells $key, and so does another place: give it a name in report/keys"
    status=1
  fi
done <<<"$found"
exit $status
