// Addresses of tensors in L0 (docs/models/chip.md, section 5, "Addresses"): each at the least address at
// which it meets no tensor placed before that lives at the same time. Lives follow from the segments alone.
#pragma once

#include <span>
#include <vector>

#include "model/chip/problem.h"

namespace nestor::chip {

struct Addresses {
  std::vector<Int> tensors;        ///< bytes, one per tensor of the network
  std::vector<Int> segment_bytes;  ///< l0_bytes
};

/// `segments` cover the operators 0 .. last of the last one; what lies behind is not placed.
Addresses assign_addresses(const ChipProblem& problem, std::span<const SegmentDecision> segments);

}  // namespace nestor::chip
