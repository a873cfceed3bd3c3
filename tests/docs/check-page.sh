#!/usr/bin/env bash
# Checks a page of docs/. Its files are written to a scratch directory. Its commands run there and must print
# the output that the page shows. Its arithmetic, if any, must be correct.
#   tests/docs/check-page.sh NESTOR PAGE [NESTOR_CHECK]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nestor=$(realpath "$1")
page=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/files"
ln -s "$nestor" "$scratch/bin/nestor"
[[ $# -lt 3 ]] || ln -s "$(realpath "$3")" "$scratch/bin/nestor-check"
status=0
blocks() { awk -f "$here/page.awk" -v mode="$1" -v into="$scratch/files" "$page"; }

if grep -q '^```worked' "$page"; then
  blocks sums >"$scratch/sums.awk"
  awk -f "$scratch/sums.awk" || status=1
fi

blocks files
blocks commands >"$scratch/commands"
[[ -s $scratch/commands ]] || { echo "$page: no command found"; exit 1; }
while IFS= read -r command; do
  echo "\$ $command"
  (cd "$scratch/files" && PATH=$scratch/bin:$PATH bash -c "$command" </dev/null 2>&1) || status=1
done <"$scratch/commands" >"$scratch/printed"
diff <(blocks output) "$scratch/printed" && echo "$(wc -l <"$scratch/commands") commands print what the page shows" || status=1
exit $status
