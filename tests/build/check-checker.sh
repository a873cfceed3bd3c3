#!/usr/bin/env bash
# The claim of results and the form of inputs, of all spaces, are less than 800 lines. Whoever follows the rules of one space reads less than 1,820 more, without blank lines and lines of comment alone: on
# a cim machine or a chip those of the space and the pieces that know no space; of pim's, which share the pieces of
# cim, on their own. Those of a chip, which has streams and functions, are fewer than 1,700; those of cnm, which has a machine and a language to read, fewer than 1,825 for UPMEM and fewer than 1,925 for HBM-PIM. And the checker shares no file with the rest: its files name no header but their own, and those of
# a space none of another's.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(check/*.h check/*.cpp check/*/*.h check/*/*.cpp)
if grep -Hn '#include "' "${files[@]}" | grep -v '#include "check/'; then
  echo "a header of another room in the checker"
  exit 1
fi
if grep -Hn '#include "check/pim' check/{cim,chip,cnm}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/cim' check/{pim,chip,cnm}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/cnm' check/{cim,pim,chip}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/chip' check/{cim,pim,cnm}/* check/*.h check/problem.cpp; then
  echo "one space's rules where another's are, or in what both share"
  exit 1
fi
# The tool asks for the claim of a result and for its figures; the rules of proofs stay with nestor-check.
if grep -rn --include=*.h --include=*.cpp '#include "check/' . --exclude-dir=check --exclude-dir=build |
  grep -vE '^\./report/[^:]*:[0-9]+:#include "check/(claim|[a-z]+/contract)\.h"'; then
  echo "a header of the checker in another room"
  exit 1
fi
lines() { cat "$@" | grep -cvE '^[[:space:]]*(//.*)?$'; }
# The table of spaces, check/spaces.*, has no rules: it is looked up, and counts for none.
layers=$(lines check/problem.* check/fixed.cpp check/replay.h check/layers.h check/padding.h check/exact.h check/proof_file.h check/main.cpp)
own() { find "check/$1" -type f -not -name form.h; }
cim=$(lines $(own cim))
pim=$(lines $(own pim))
# Rules of chips and kernels need of what is shared only numbers, files and the command line.
few=$(lines check/exact.h check/json.h check/say.cpp check/proof_file.h check/main.cpp)
chip=$(lines $(own chip))
# Kernels on UPMEM and on HBM-PIM share language and claims.
upmem=$(lines $(own cnm | grep -v /pim))
hbm_pim=$(lines check/cnm/pim* check/cnm/claims.* check/cnm/{kernel_text.cpp,model.h,fraction.h,space.h})
claims=$(lines check/claim.* check/form.* check/layer_form.h check/*/form.h)
echo "nestor-check, lines of code: to read for cim $((layers + cim)), for pim $((layers + pim)), $pim of them its own," \
  "for a chip $((few + chip)), for a kernel on UPMEM $((few + upmem)), $upmem of them its own, on HBM-PIM $((few + hbm_pim)), $hbm_pim of them;" \
  "claims and forms of all spaces $claims"
((claims < 800 && layers + cim < 1820 && pim < 1500 && few + chip < 1700 && upmem < 1825 && hbm_pim < 1925))
