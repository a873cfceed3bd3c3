// Initial mapping by priorities for given spatial factors, built with the search framework of
// heuristics/priority. Loops are placed one factor after another, from the innermost outward. An operand
// stays in its memory while its tile fits. A loop that would make the tile too large moves the operand to a
// memory further out. The inner tile is then transferred once per iteration of all loops not yet placed.
//
// Priorities: first the objective, including the transfers that a loop causes now; then the cycles of these
// transfers; then the amount of tile data that the loop reuses. Complete loop nests are evaluated exactly,
// with layouts that suit them.
#pragma once

#include <optional>

#include "model/pim/search/problem.h"

namespace nestor::pim {

struct PriorityNest {
  PimMapping mapping;
  double cost = 0;
  std::uint64_t nests = 0;  ///< number of loop nests built
};

/// Returns the best result of several restarts with improvement passes, or nothing if no legal loop nest was
/// found. Stops when `nests` loop nests were built, or when the cost is at most `enough`.
std::optional<PriorityNest> priority_nest(const PimProblem& problem, const SpatialFactors& spatial,
                                          double enough, std::uint64_t nests, std::uint64_t seed);

}  // namespace nestor::pim
