// The claim of a result, defined once for all spaces (docs/proofs.md, "What is claimed"). Its status is a
// known word and agrees with bound and solution. No listed cost is below the bound. Lists are in order,
// without duplicates and no longer than requested. Gaps follow from costs and bounds. The rules of the spaces
// check that a cost is that of its mapping and that no mapping is better.
#pragma once

#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

/// A claim that contradicts itself.
struct ClaimFault {
  std::string name;  ///< name of the layer, kernel or network
  std::string sentence;
};

/// Returns all faults, at most one for each layer. Results of verbs that claim no optimum have none. Throws
/// Unreadable if a claim is malformed.
std::vector<ClaimFault> claim_faults(const Json& result);

/// Returns -1, 0 or 1: a is less than, equal to or more than b, within one part in 10^9 or, if that is more,
/// within `within`.
int compare(const Decimal& a, const Decimal& b, const Decimal& within = {});

}  // namespace nestor::check
