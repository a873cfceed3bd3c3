// MASIM's priority construction (heuristics/priority), applied to loop nests. It finds a good mapping in well
// under a millisecond. A placement is built from the compute array outward: factors first go onto the spatial
// axes, then loops are placed from the innermost outward. An operand stays in its memory while its tile fits.
// When a loop would make the tile too large, the operand moves to a memory further out. Such a move costs one
// transfer per iteration of all loops that are placed later.
//
// Priorities: first the transfers that a loop causes now, then the amount of tile data that the loop reuses.
// Ties are broken at random; restarts and perturb-and-rederive passes improve the result. Each complete
// placement is evaluated exactly, including the double buffers that lower its cost.
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
