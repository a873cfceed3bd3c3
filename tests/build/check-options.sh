#!/usr/bin/env bash
# Checks that tests use every option of docs/options.md, on a command line or as {"option", VALUE}: a verb that
# ignores an option is noticed only by a test.
set -euo pipefail
cd "$(dirname "$0")/../.."
unused=0
for option in $(grep -oE '^\| `--[a-z-]+' docs/options.md | sed 's/^.*`--//' | sort -u); do
  grep -rqE --exclude-dir=mutation -e "--$option([^a-z-]|$)" -e "\{\"$option\", " tests && continue
  echo "no test uses --$option"
  unused=$((unused + 1))
done
exit $((unused > 0))
