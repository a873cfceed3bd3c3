# Normalises the output and files of a run. It removes everything that varies between runs (times, and the
# column widths that depend on them), sorts the options that a result repeats, and restores the old names of
# renamed JSON keys (renamed.txt: new, old) and the old words of remarks. Writes FILE.norm next to every FILE.
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
  # Restores remarks that were reworded since recorded.txt was written. When recorded.txt is written again,
  # these lines can be removed.
  sub(/; the results so far are valid$/, "; what was found by then is valid")
  sub(/; the results are valid$/, "; what was found is valid")
  sub(/options \(except objective, /, "options (but objective, ")
  sub(/whether the other cost is minimal/, "whether the other cost is least")
  sub(/its file is not available/, "its file is not at hand")
  sub(/whether they are those of the network/, "whether they are the network's")
  gsub(/inputs that are read are in/, "inputs that are read lie in")
  sub(/times, inputs of another array must join a connected part of the netlist/, \
      "times the inputs of another array must meet in one connected part of the netlist")
  sub(/outputs do not fit into arrays that hold inputs, and storing/, \
      "outputs find no row in arrays that hold inputs, and having")
  sub(/, but the smallest tiles need/, ", the smallest tiles need")
  if (/^total area .* mm2$/) {
    sub(/^total area/, "area")
    $0 = $0 " in all"
  }
  sub(/^total area unknown: not every part specifies an area/, "area in all unknown: not every part states its own")
  sub(/^to reproduce this schedule, given enough time:/, "the same schedule again, given the time:")
  sub(/eviction \(only their sum is checked\)/, "eviction (their sum is)")
  sub(/; the whole layer has no mapping/, "; the whole has no mapping")
  sub(/whether all are listed; bounds/, "whether all are there; bounds")
  sub(/its tiles do not fit into any combination of memories/, "its tiles fit no combination of memories")
  sub(/a minimal set of constraints of --fix cannot be met together/, \
      "the least part of what is fixed cannot hold together")
  sub(/a set of constraints of --fix cannot be met together/, "a part of what is fixed cannot hold together")
  sub(/ has a utilisation of at least /, " is used to at least ")
  sub(/, with the constraints of --fix/, ", as --fix says")
  sub(/found no mapping for some layer, but one may exist/, "found no mapping of some layer, which proves nothing")
  if (/method .* found no schedule on .*, but one may exist$/) {
    sub(/found no schedule on/, "gave up without a schedule on")
    sub(/, but one may exist$/, ", which proves nothing")
  }
  if (sub(/no choice of mappings meets --limit/, "no choice of mappings keeps --limit"))
    sub(/the minimum is/, "the least is")
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
