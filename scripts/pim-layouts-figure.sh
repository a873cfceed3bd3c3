#!/usr/bin/env bash
# Draws a tile in DRAM rows under each layout (docs/models/pim.md, section 5), as SVG:
#   scripts/pim-layouts-figure.sh >docs/models/pim-layouts.svg
# The tensor has 2 channels of 8 x 8, in rows of 24 elements. A tile of 3 x 4 in channel 0 is highlighted. Cells of one
# colour are in the same row.
set -euo pipefail
awk '
function row_of(kind, c, h, w,    address) {
  if (kind == "sequential") address = c * 64 + h * 8 + w
  else if (kind == "hwc") address = (h * 8 + w) * 2 + c
  else if (kind == "row_aligned") address = c * 72 + h * 8 + w
  else address = c * 72 + (int(h / 4) * 2 + int(w / 4)) * 16 + (h % 4) * 4 + w % 4
  return int(address / 24)
}
BEGIN {
  n = split("sequential,hwc,row_aligned,row_aligned 4 x 4", kinds, ",")
  m = split("#4e79a7,#f28e2b,#59a14f,#e15759,#b07aa1,#9c755f", colours, ",")
  cell = 14
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"190\" font-family=\"sans-serif\" font-size=\"11\">\n", 4 * 140 + 20
  for (k = 1; k <= n; ++k) {
    left = 10 + (k - 1) * 140
    split("", seen); rows = 0; open = -1; opened = 0
    for (h = 0; h < 8; ++h)
      for (w = 0; w < 8; ++w) {
        row = row_of(kinds[k], 0, h, w)
        inside = h >= 2 && h < 5 && w >= 2 && w < 6
        printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"#fff\"/>\n", left + w * cell, 30 + h * cell, cell, cell, colours[row % m + 1], inside ? "1" : "0.3"
        if (!inside) continue
        if (!(row in seen)) { seen[row] = 1; ++rows }
        if (row != open) { open = row; ++opened }
      }
    printf "<text x=\"%d\" y=\"20\">%s</text>\n", left, kinds[k]
    printf "<text x=\"%d\" y=\"162\">%d rows, opened %d times</text>\n", left, rows, opened
  }
  printf "<text x=\"10\" y=\"182\">channel 0 of 2, 8 x 8 elements, 24 in a row; strong: a tile of 3 x 4, visited line by line, one bank</text>\n"
  print "</svg>"
}'
