// The claim of a result, stated once for all spaces (docs/proofs.md, "What is claimed"): its status is a
// known word and agrees with bound and solution, no listed cost is below the bound, lists are in order,
// without duplicates and no longer than asked for, and gaps follow from costs and bounds. Whether a cost is
// that of its mapping, and whether nothing else is better, is for the rules of the spaces.
#pragma once

#include <string>
#include <vector>

#include "check/exact.h"

namespace nestor::check {

/// A claim that contradicts itself.
struct ClaimFault {
  std::string name;  ///< of the layer, kernel or network
  std::string sentence;
};

/// All of them, at most one for each layer; none for results of verbs that claim no optimum. Throws
/// Unreadable if a claim is malformed.
std::vector<ClaimFault> claim_faults(const Json& result);

/// -1, 0 or 1: less than, equal to or more than the other, to one part in 10^9 or, if that is more, to
/// `within`.
int compare(const Decimal& a, const Decimal& b, const Decimal& within = {});

}  // namespace nestor::check
