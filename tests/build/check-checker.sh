#!/usr/bin/env bash
# Limits the size of the checker, in lines without blank lines and comment lines, since people review it (docs/proofs.md).
# The limits are at the end. The lines of cim include the parts shared with pim, and those of chips include the few parts
# that chips and kernels share. Files of the checker include only headers of the checker, and files of a space include no header of another
# space.
set -euo pipefail
cd "$(dirname "$0")/../.."
files=(check/*.h check/*.cpp check/*/*.h check/*/*.cpp)
if grep -Hn '#include "' "${files[@]}" | grep -v '#include "check/'; then
  echo "a header of another module in the checker"
  exit 1
fi
if grep -Hn '#include "check/pim' check/{cim,chip,cnm}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/cim' check/{pim,chip,cnm}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/cnm' check/{cim,pim,chip}/* check/*.h check/problem.cpp ||
  grep -Hn '#include "check/chip' check/{cim,pim,cnm}/* check/*.h check/problem.cpp; then
  echo "one space's rules where another's are, or in what both share"
  exit 1
fi
# Of the checker's headers, the tool includes only those for the claim and the form of a result. Only
# nestor-check uses the rules of proofs.
if grep -rn --include=*.h --include=*.cpp '#include "check/' . --exclude-dir=check --exclude-dir=build |
  grep -vE '^\./(report|tests)/[^:]*:[0-9]+:#include "check/(claim|[a-z]+/contract)\.h"'; then
  echo "a header of the checker in another module"
  exit 1
fi
lines() { cat "$@" | grep -cvE '^[[:space:]]*(//.*)?$'; }
# The table of spaces, check/spaces.*, contains no rules and is not counted.
layers=$(lines check/problem.* check/fixed.cpp check/replay.h check/layers.h check/padding.h check/exact.h check/proof_file.h check/main.cpp)
own() { find "check/$1" -type f -not -name form.h -not -name 'contract*'; }
cim=$(lines $(own cim))
pim=$(lines $(own pim))
# The rules for chips and those for kernels share only exact numbers, JSON, proof files and the command line.
few=$(lines check/exact.h check/json.h check/say.cpp check/proof_file.h check/main.cpp)
chip=$(lines $(own chip))
# The rules for UPMEM and those for HBM-PIM share the text of kernels, fractions and claims.
upmem=$(lines $(own cnm | grep -v /pim))
hbm_pim=$(lines check/cnm/pim* check/cnm/claims.* check/cnm/{kernel_text.cpp,model.h,fraction.h,space.h})
claims=$(lines check/claim.* check/form.* check/layer_form.h check/*/form.h)
# Contracts recompute the figures of results for `nestor verify`. Proofs do not depend on them.
contracts=$(lines check/contract.h check/mapped_nest.* check/*/contract*)
echo "nestor-check, lines of code: to read for cim $((layers + cim)), for pim $((layers + pim)), $pim of them its own," \
  "for a chip $((few + chip)), for a kernel on UPMEM $((few + upmem)), $upmem of them its own, on HBM-PIM $((few + hbm_pim)), $hbm_pim of them;" \
  "claims and forms of all spaces $claims, contracts $contracts"
status=0
below() { (($2 < $3)) || { echo "$1 take $2 lines, expected fewer than $3"; status=1; }; }
below "claims and forms" "$claims" 800
below "the rules of cim" $((layers + cim)) 1845
below "the rules of pim" "$pim" 1500
below "the rules for chips" $((few + chip)) 2075
below "the rules for UPMEM" "$upmem" 2050
below "the rules for HBM-PIM" "$hbm_pim" 2100
below "contracts" "$contracts" 2650
# The page for reviewers states these figures.
states() {
  text=$(sed -E 's/([0-9])([0-9]{3})$/\1,\2/' <<<"$2")
  grep -qw -- "$text" docs/proofs.md && return
  echo "$1 have $text lines now: docs/proofs.md states another number"
  status=1
}
states "the rules of cim" $((layers + cim))
states "the rules of pim" "$pim"
states "the rules for UPMEM" "$upmem"
states "the rules for HBM-PIM" "$hbm_pim"
states "claims and forms" "$claims"
exit $status
