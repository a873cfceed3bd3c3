#!/usr/bin/env bash
# Draws the figure of docs/models/cim.md: the first cycles of its worked example in the simulator.
#   scripts/overlap-figure.sh NESTOR >docs/models/overlap.svg
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
nestor=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$root/tests/docs/page.awk" -v mode=files -v into="$scratch" "$root/docs/models/cim.md"
cd "$scratch"
"$nestor" simulate --arch machine.yaml --layers layers.yaml --mapping mapping.json --trace trace.json >simulated.txt
# One event per line; fields have the order of the trace file's writer.
sed 's/},{/\n/g' trace.json | awk -v until=192 -v inner=6 -v outer=47 '
  function field(name,  at) {
    at = index($0, "\"" name "\":")
    if (at == 0) return ""
    at = substr($0, at + length(name) + 3)
    if (substr(at, 1, 1) == "\"") return substr(at, 2, index(substr(at, 2), "\"") - 1)
    sub(/[,}].*/, "", at)
    return at
  }
  function x(cycle) { return sprintf("%.1f", 130 + cycle * 4) }
  function text(at_x, at_y, anchor, words) {
    return sprintf("<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, words)
  }
  BEGIN {
    # Lanes from the top: name in the trace, and colour.
    split("I: dram - buffer|I: buffer - lines|W: dram - array|array|O: buffer - sums|O: dram - buffer", lane, "|")
    split("#4477aa|#66ccee|#228833|#444444|#ccbb44|#ee6677", colour, "|")
    for (i in lane) row[lane[i]] = i
  }
  /"thread_name"/ { at = index($0, "\"args\":{\"name\":\""); words = substr($0, at + 16); sub(/".*/, "", words); name[field("tid")] = words; next }
  /"ph":"X"/ {
    what = field("name")
    thread = what == "MVM" ? "array" : name[field("tid")]
    if (!(thread in row) || what ~ /^wait/) next
    begin = field("ts") + 0
    cycles = field("dur") + 0
    if (begin >= until) next
    if (begin + cycles > until) cycles = until - begin
    y = 34 + row[thread] * 26
    bars = bars sprintf("<rect x=\"%s\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\" stroke=\"white\" stroke-width=\"0.5\"/>\n", x(begin), y, cycles * 4, colour[row[thread]])
    if (what == "MVM" && first == "") first = begin
  }
  END {
    width = 130 + until * 4 + 20
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"262\" font-family=\"sans-serif\" font-size=\"11\">\n", width
    print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    for (i = 1; i in lane; ++i) printf "%s", text(122, 47 + i * 26, "end", lane[i])
    # A line at the start of each pass over the two inner loops, beginning with the first product.
    for (at = first; at <= until; at += outer) {
      printf "<line x1=\"%s\" y1=\"30\" x2=\"%s\" y2=\"222\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\n", x(at), x(at)
      if (at + outer <= until) printf "%s", text(x(at + outer / 2), 26, "middle", "L = " outer " of loop P")
    }
    for (i = 0; i < 6; ++i)
      printf "<line x1=\"%s\" y1=\"46\" x2=\"%s\" y2=\"46\" stroke=\"#333\" marker-end=\"url(#none)\"/><line x1=\"%s\" y1=\"43\" x2=\"%s\" y2=\"49\" stroke=\"#333\"/>\n", x(first + i * inner), x(first + (i + 1) * inner), x(first + i * inner), x(first + i * inner)
    printf "%s", text(x(first + 6 * inner + 1), 50, "start", "L = " inner " of loop Q")
    printf "%s", bars
    printf "<line x1=\"%s\" y1=\"222\" x2=\"%s\" y2=\"222\" stroke=\"#333\"/>\n", x(0), x(until)
    for (at = 0; at <= until; at += 24)
      printf "<line x1=\"%s\" y1=\"222\" x2=\"%s\" y2=\"226\" stroke=\"#333\"/>\n%s", x(at), x(at), text(x(at), 238, "middle", at)
    printf "%s", text(x(until / 2), 255, "middle", "cycles")
    print "</svg>"
  }'
