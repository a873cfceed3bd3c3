#!/usr/bin/env bash
# Checks HTML reports in a headless Chromium. The script of a report runs, since the report's security policy
# admits it by its digest. The console stays empty, markup in names is shown as text, and no label of a picture
# is cut off. Skipped (status 77) without Chromium.
#   tests/report/check-in-browser.sh NESTOR
set -euo pipefail
nestor=$(realpath "$1")
browser=$(command -v chromium || command -v chromium-browser || true)
[[ -n $browser ]] || { echo "skipped: no chromium (apt-get install chromium)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >layers.yaml <<'LAYERS'
name: '<img src=x onerror=document.title=1>'
layers:
  - {name: '<img src=x onerror=document.title=2>', dims: {K: 64, C: 32, P: 8}}
LAYERS
"$nestor" map layers.yaml --arch miredo-table4 --objective pareto --quiet --json cim.json
"$nestor" compile vgg7 --arch isaac-table3 --levels cg --quiet --json chip.json
status=0
fail() { echo "$1"; status=1; }
for result in cim chip; do
  "$nestor" report $result.json -o $result.html
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --dump-dom "file://$scratch/$result.html" >$result.dom 2>$result.log
  grep -q 'id="tip"' $result.dom || fail "$result: the script did not run"
  ! grep -q CONSOLE $result.log || fail "$result: $(grep CONSOLE $result.log)"
  ! grep -q '<img' $result.dom || fail "$result: a name became an element"
  ! grep -q '<title>[12]' $result.dom || fail "$result: a name ran"
done
# Measures the labels, with all layers open. The report's security policy would block the script that does
# this, so the policy is removed first.
"$nestor" map mlperf-tiny-resnet8 --arch miredo-table4 --quiet --json labels.json
"$nestor" report labels.json -o labels.html
sed -i 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' labels.html
cat >>labels.html <<'SCRIPT'
<script>
for (const part of document.querySelectorAll("details")) part.open = true;
let measured = 0;
for (const text of document.querySelectorAll("svg[viewBox] text")) {
  const box = text.getBBox(), view = text.closest("svg[viewBox]").viewBox.baseVal;
  ++measured;
  if (box.x < 0 || box.x + box.width > view.width || box.y + box.height > view.height)
    document.title = "cut off: " + text.textContent;
}
document.body.setAttribute("data-measured", measured);
</script>
SCRIPT
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
  --dump-dom "file://$scratch/labels.html" >labels.dom 2>/dev/null
grep -q 'data-measured="[1-9][0-9][0-9]' labels.dom || fail "labels: none were measured"
! grep -q '<title>cut off' labels.dom || fail "$(grep -o '<title>[^<]*' labels.dom)"
grep -q 'aria-label="Zoom in"' chip.dom || fail "chip: the chart has no zoom"
grep -q '<circle' cim.dom || fail "cim: the front has no points"
[[ $status != 0 ]] || echo "2 reports hold in $("$browser" --version 2>/dev/null)"
exit $status
