#!/usr/bin/env bash
# Checks HTML reports of all five spaces, of a sweep and of a replay in a headless Chromium. The script of a report
# runs, since the report's security policy admits it by its digest. The console stays empty, markup in names is shown
# as text, no label of a picture is cut off, and charts can be zoomed. If axe-core is installed (npm install -g
# axe-core) or NESTOR_AXE names its axe.min.js, no rule of it may be violated in the light and dark themes. Skipped
# (status 77) without Chromium.
#   tests/report/check-in-browser.sh NESTOR
set -euo pipefail
nestor=$(realpath "$1")
browser=$(command -v chromium || command -v chromium-browser || true)
[[ -n $browser ]] || { echo "skipped: no chromium (apt-get install chromium)"; exit 77; }
axe=${NESTOR_AXE:-$(npm root -g 2>/dev/null || true)/axe-core/axe.min.js}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >layers.yaml <<'LAYERS'
name: '<img src=x onerror=document.title=1>'
layers:
  - {name: '<img src=x onerror=document.title=2>', dims: {K: 64, C: 32, P: 8}}
LAYERS
cat >adder.v <<'NETLIST'
module adder(a0, a1, b0, b1, s0, s1, s2);
  input a0, a1, b0, b1; output s0, s1, s2; wire c;
  assign s0 = a0 ^ b0; assign c = a0 & b0;
  assign s1 = a1 ^ b1 ^ c; assign s2 = (a1 & b1) | (a1 & c) | (b1 & c);
endmodule
NETLIST
cat >gemv.mlir <<'KERNEL'
func.func @gemv(%A: memref<256x512xi32>, %x: memref<512xi32>, %y: memref<256xi32>) {
  linalg.matvec ins(%A, %x : memref<256x512xi32>, memref<512xi32>) outs(%y : memref<256xi32>)
  return
}
KERNEL
cat >plan.yaml <<'PLAN'
name: sizes
networks: [layers.yaml]
machines: [{base: miredo-default, grid: {axis.core.size: [2, 4]}}]
PLAN
"$nestor" map layers.yaml --arch miredo-table4 --objective pareto --quiet --report cim.html
"$nestor" map layers.yaml --arch miredo-table4 --explain --quiet --json explain.json --report explain.html
"$nestor" simulate explain.json --quiet --report replay.html
"$nestor" map layers.yaml --arch pim-default --quiet --report pim.html
"$nestor" map gemv.mlir --arch upmem --quiet --report cnm.html
"$nestor" schedule adder.v --rows 6 --quiet --report simd.html
"$nestor" compile vgg7 --arch isaac-table3 --levels cg --quiet --report chip.html
"$nestor" sweep plan.yaml --quiet --report sweep.html
reports=(cim explain replay pim cnm simd chip sweep)
status=0
fail() { echo "$1"; status=1; }
# Prints the page as it is after its scripts have run.
dom_of() { # FILE
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --virtual-time-budget=20000 --dump-dom "file://$scratch/$1"
}
for report in "${reports[@]}"; do
  dom_of "$report.html" >"$report.dom" 2>"$report.log"
  grep -q 'id="tip"' "$report.dom" || fail "$report: the script did not run"
  ! grep -q CONSOLE "$report.log" || fail "$report: $(grep CONSOLE "$report.log")"
  ! grep -q '<img' "$report.dom" || fail "$report: a name became an element"
  ! grep -q '<title>[12]' "$report.dom" || fail "$report: a name ran"
done
grep -q '<circle' cim.dom || fail "cim: the front has no points"

# The following scripts are appended to pages. The report's security policy would block them, so it is removed first.
with_script() { # FILE SCRIPT...: prints the page with the scripts
  sed 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' "$1"
  local script
  for script in "${@:2}"; do echo '<script>'; cat "$script"; echo '</script>'; done
}
# Measures the labels, with all layers open.
cat >measure.js <<'SCRIPT'
for (const part of document.querySelectorAll("details")) part.open = true;
let measured = 0;
for (const text of document.querySelectorAll("svg[viewBox] text")) {
  const box = text.getBBox(), view = text.closest("svg[viewBox]").viewBox.baseVal;
  ++measured;
  if (box.x < 0 || box.x + box.width > view.width || box.y + box.height > view.height)
    document.title = "cut off: " + text.textContent;
}
document.body.setAttribute("data-measured", measured);
SCRIPT
"$nestor" map mlperf-tiny-resnet8 --arch miredo-table4 --quiet --report resnet8.html
with_script resnet8.html measure.js >labels.html
dom_of labels.html >labels.dom 2>/dev/null
grep -q 'data-measured="[1-9][0-9][0-9]' labels.dom || fail "labels: none were measured"
! grep -q '<title>cut off' labels.dom || fail "$(grep -o '<title>[^<]*' labels.dom)"

# Clicks the buttons of every chart: zooming in doubles its width, and showing all restores it.
cat >zoom.js <<'SCRIPT'
for (const part of document.querySelectorAll("details")) part.open = true;
let zoomed = 0;
for (const tools of document.querySelectorAll(".tools")) {
  const inner = tools.nextElementSibling.firstElementChild;
  const press = (name) => tools.querySelector(`[aria-label="${name}"]`).click();
  const before = inner.offsetWidth;
  press("Zoom in");
  const wide = inner.offsetWidth;
  press("Show all");
  if (before > 0 && Math.abs(wide - 2 * before) <= 1 && inner.offsetWidth === before) ++zoomed;
  else document.title = `zoom: ${before}, ${wide}, ${inner.offsetWidth}`;
}
document.body.setAttribute("data-zoomed", zoomed);
SCRIPT
for report in chip replay; do
  with_script "$report.html" zoom.js >zoomed.html
  dom_of zoomed.html >zoomed.dom 2>/dev/null
  grep -q 'data-zoomed="[1-9]' zoomed.dom || fail "$report: the chart has no zoom: $(grep -o '<title>zoom[^<]*' zoomed.dom)"
done

if [[ -f $axe ]]; then
  cat >run-axe.js <<'SCRIPT'
for (const part of document.querySelectorAll("details")) part.open = true;
axe.run({resultTypes: ["violations"]}).then(
  (found) => document.body.setAttribute("data-axe", "rules violated: " + found.violations.map((one) =>
    `${one.id} (${one.nodes.length}, ${one.nodes[0].target})`).join("; ")),
  (error) => document.body.setAttribute("data-axe", String(error)));
SCRIPT
  for report in "${reports[@]}" resnet8; do
    for theme in light dark; do
      [[ $theme == light ]] && media='not all' || media=all
      with_script "$report.html" "$axe" run-axe.js | sed "s/@media(prefers-color-scheme:dark)/@media $media/" >axe.html
      dom_of axe.html >axe.dom 2>/dev/null
      grep -q 'data-axe="rules violated: "' axe.dom || fail "$report, $theme: $(grep -o 'data-axe="[^"]*"' axe.dom)"
    done
  done
  echo "axe-core checked $((${#reports[@]} + 1)) reports in two themes"
else
  echo "accessibility not checked: no axe-core (npm install -g axe-core, or NESTOR_AXE=FILE)"
fi
[[ $status != 0 ]] || echo "${#reports[@]} reports hold in $("$browser" --version 2>/dev/null)"
exit $status
