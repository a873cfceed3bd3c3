// Addresses of tensors in L0 (docs/models/chip.md, section 5, "Addresses"). Each tensor gets the lowest
// address at which it overlaps no earlier tensor that is alive at the same time. Of the decisions, only the
// segments affect the lifetimes.
#pragma once

#include <span>
#include <vector>

#include "model/chip/problem.h"

namespace nestor::chip {

struct Addresses {
  std::vector<Int> tensors;        ///< addresses in bytes, in the order of the network's tensors
  std::vector<Int> segment_bytes;  ///< highest end address of the tensors alive in each segment
};

/// Returns the addresses. `segments` cover the operators from 0 to the end of the last segment. Later
/// operators have no address.
Addresses assign_addresses(const ChipProblem& problem, std::span<const SegmentDecision> segments);

}  // namespace nestor::chip
