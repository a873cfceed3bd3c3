#!/usr/bin/awk -f
# Extracts a page's fenced blocks, by mode:
#   files     writes every block ```LANGUAGE file=NAME into the directory `into`
#   commands  prints the commands of ```console blocks (lines that begin with "$ "), one per line
#   output    prints the content of ```console blocks as a shell session: each command, then its output
#   sums      prints the arithmetic of ```worked blocks as an awk program that reports wrong lines
/^```/ {
  if (inside) {
    inside = 0
    next
  }
  inside = 1
  kind = substr($1, 4)
  file = ""
  for (i = 2; i <= NF; ++i)
    if ($i ~ /^file=/) file = substr($i, 6)
  if (mode == "files" && file != "") printf "" > (into "/" file)
  next
}
!inside { next }
mode == "files" && file != "" { print > (into "/" file) }
mode == "commands" && kind == "console" && /^\$ / { print substr($0, 3) }
mode == "output" && kind == "console" { print }
# The format of a line is: name = expression = value
mode == "sums" && kind == "worked" {
  line = $0
  sub(/ +#.*/, "", line)
  if (line == "") next
  parts = split(line, part, / = /)
  if (parts != 3 || part[1] !~ /^[A-Za-z_][A-Za-z_0-9]*$/ || part[2] part[3] !~ /^[-+*\/(),.A-Za-z_0-9 ]+$/) {
    printf "BEGIN { print \"%s:%d: expected NAME = EXPRESSION = VALUE\"; wrong = 1 }\n", FILENAME, FNR
    next
  }
  printf "BEGIN { %s = %s; claim(\"%s:%d\", \"%s\", %s, %s) }\n", part[1], part[2], FILENAME, FNR, part[1], part[1], part[3]
}
END {
  if (mode != "sums") exit
  print "function max(a, b, c, d) { if (b > a) a = b; if (c != \"\" && c > a) a = c; if (d != \"\" && d > a) a = d; return a }"
  print "function ceil(a) { return int(a) < a ? int(a) + 1 : int(a) }"
  print "function claim(place, name, is, said) { ++claims; if (is != said) { print place \": \" name \" is \" is \", not \" said; wrong = 1 } }"
  print "BEGIN { if (claims == 0) { print \"no arithmetic found\"; wrong = 1 } else if (!wrong) print claims \" lines of arithmetic hold\"; exit wrong }"
}
