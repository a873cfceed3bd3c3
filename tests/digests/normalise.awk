# Normalises the output and files of a run. It removes everything that varies between runs (times, and the
# column widths that depend on them), sorts the options that a result repeats, and restores the old names of
# renamed JSON keys (renamed.txt: new, old). Writes FILE.norm next to every FILE.
#   awk -f normalise.awk -v renamed=renamed.txt FILE...
function print_options(  i, j, line) {
  for (i = 2; i <= options; ++i)
    for (j = i; j > 1 && option[j] < option[j - 1]; --j) {
      line = option[j]
      option[j] = option[j - 1]
      option[j - 1] = line
    }
  for (i = 1; i <= options; ++i) print option[i] > out
}
BEGIN {
  while ((getline line < renamed) > 0) {
    if (line ~ /^#/ || split(line, word, " ") != 2) continue
    old_name[word[1]] = word[2]
  }
}
FNR == 1 {
  if (out != "") close(out)
  out = FILENAME ".norm"
  seconds_last = 0
  in_options = 0
  printf "" > out
}
{
  if (match($0, /^ *"[A-Za-z0-9_]+":/)) {
    key = substr($0, RSTART, RLENGTH)
    sub(/^ *"/, "", key)
    sub(/":$/, "", key)
    if (key in old_name) sub("\"" key "\":", "\"" old_name[key] "\":")
  }
  sub(/"seconds": [-+.0-9e]+/, "\"seconds\": -")
  sub(/"version": "[^"]*"/, "\"version\": -")
  # Handles a table whose last column is seconds.
  if ($NF == "seconds") seconds_last = 1
  else if (NF == 0) seconds_last = 0
  else if (seconds_last && $NF ~ /^[0-9]+[.][0-9]+$/) sub(/[.0-9]+$/, "-")
  gsub(/[0-9][.0-9]* s( |$)/, "- s ")
  gsub(/---+/, "---")
  gsub(/ +/, " ")
  sub(/ $/, "")
  if (in_options && $0 ~ /^ *}/) {
    print_options()
    in_options = 0
  }
  if (in_options) {
    sub(/,$/, "")
    option[++options] = $0
    next
  }
  if (/^ *"options": {$/) {
    in_options = 1
    options = 0
  }
  print > out
}
