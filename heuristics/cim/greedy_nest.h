// A good mapping in well under a millisecond: MASIM's priority construction (heuristics/priority), told about
// loop nests. A placement is built from the compute array outward: first factors go onto the spatial axes,
// then loops are placed from the innermost outward. An operand stays in its memory while its tile fits; once
// a loop would make it too large, it must move to a memory further out, and that move is a transfer, paid
// once per iteration of everything still outside.
//
// Priorities: first the transfers that a loop causes now, then the change in future reuse (how much of the
// operands' tiles the loop reuses). Ties are random; restarts and perturb-and-rederive improve. Each complete
// placement is costed exactly, with the double buffers that pay.
#pragma once

#include <cstdint>
#include <optional>

#include "model/cim/search/problem.h"

namespace nestor::cim {

struct GreedyEffort {
  std::uint64_t restarts = 16;
  std::uint64_t patience = 32;  ///< improvement passes in a row without gain before giving up
};

struct GreedyResult {
  Mapping mapping;
  double cost = 0;
};

/// A legal mapping that honours the constraints, or nothing if none was met (which proves nothing). The layer
/// passed admit(). The same seed gives the same mapping on every target.
std::optional<GreedyResult> greedy_nest(const CimProblem& problem, std::uint64_t seed,
                                        const GreedyEffort& effort = {});

}  // namespace nestor::cim
