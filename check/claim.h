// The claim of a result, defined once for all spaces (docs/proofs.md, "What is claimed"). The status must be
// a known word and agree with bound and solution. No listed cost may be below the bound. Lists must be in
// order, without duplicates and no longer than requested. Gaps must follow from costs and bounds. The rules
// of the spaces check that each mapping has its claimed cost and that no mapping is better.
#pragma once

#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

/// A contradiction within a claim.
struct ClaimFault {
  std::string name;  ///< name of the layer, kernel or network
  std::string sentence;
};

/// Returns all faults, at most one for each layer and one for the totals. Results of verbs that claim no
/// optimum have none. Throws Unreadable if a claim is malformed.
std::vector<ClaimFault> claim_faults(const Json& result);

/// Returns -1, 0 or 1 if `a` is less than, equal to or greater than `b`. Differences of up to one part in
/// 10^9, or of up to `within` if that is more, count as equal.
int compare(const Decimal& a, const Decimal& b, const Decimal& within = {});

}  // namespace nestor::check
