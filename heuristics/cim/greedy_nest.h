// A good mapping in well under a millisecond: MASIM's priority construction (heuristics/priority), applied to
// loop nests. A placement is built from the compute array outward: factors first go onto the spatial axes,
// then loops are placed from the innermost outward. An operand stays in its memory while its tile fits. When
// a loop would make the tile too large, the operand moves to a memory further out. That move is a transfer,
// paid once per iteration of all loops still outside.
//
// Priorities: first the transfers that a loop causes now, then the change in future reuse (how much of the
// operands' tiles the loop reuses). Ties are broken at random; restarts and perturb-and-rederive passes
// improve the result. Each complete placement is evaluated exactly, with the double buffers that lower its
// cost.
#pragma once

#include <cstdint>
#include <optional>

#include "model/cim/search/problem.h"

namespace nestor::cim {

struct GreedyEffort {
  std::uint64_t restarts = 16;
  std::uint64_t patience = 32;  ///< consecutive passes without gain before the search ends
};

struct GreedyResult {
  Mapping mapping;
  double cost = 0;
};

/// Returns a legal mapping that satisfies the constraints, or nothing if none was found (which proves
/// nothing). The layer must have passed admit(). The same seed gives the same mapping on every target.
std::optional<GreedyResult> greedy_nest(const CimProblem& problem, std::uint64_t seed,
                                        const GreedyEffort& effort = {});

}  // namespace nestor::cim
