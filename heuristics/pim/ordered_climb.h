// Local search with given spatial factors and a given loop order, for the greedy stationary baselines. It
// starts with all loops outermost. A step moves one factor to another level, exchanges two factors, bypasses
// a memory, or changes a layout in DRAM. A step is accepted if the mapping becomes cheaper or, at equal cost,
// its memories are less busy. The search ends at a local optimum.
#pragma once

#include <optional>

#include "heuristics/pim/level_nest.h"

namespace nestor::pim {

struct ClimbedMapping {
  PimMapping mapping;
  double cost = 0;
};

/// Returns the local optimum, or the best mapping after the given number of evaluations. Returns nothing if
/// the smallest tiles do not fit. All levels have the loop order `order`.
std::optional<ClimbedMapping> ordered_climb(const PimProblem& problem, const SpatialFactors& spatial,
                                            const DimOrder& order, std::uint64_t evaluations);

}  // namespace nestor::pim
