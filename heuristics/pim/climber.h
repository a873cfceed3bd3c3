// Hill climbing for given spatial factors. A level nest starts with all loops outermost. A step moves one
// factor to another level, exchanges two factors or two adjacent loops of a level, bypasses a memory, or
// changes a layout in DRAM. A step is accepted if the mapping becomes cheaper or, at equal cost, its memories
// are less busy. At a local optimum, the search makes random steps and climbs again.
#pragma once

#include <optional>

#include "base/random.h"
#include "heuristics/pim/level_nest.h"

namespace nestor::pim {

struct ClimbLimits {
  double enough = 0;              ///< cost at or below which the climb ends
  std::uint64_t evaluations = 0;  ///< limit on evaluated mappings
  bool brief = false;             ///< true to skip the climbs that change tiles before layouts
  /// Loop order of all levels. If it is set, the climb tries no other orders and no random steps.
  std::optional<DimOrder> order = std::nullopt;
};

struct Climbed {
  PimMapping mapping;
  double cost = 0;
  std::uint64_t evaluations = 0;  ///< number of evaluated mappings
};

/// Returns the best mapping found, or nothing if the smallest tiles do not fit.
std::optional<Climbed> climb(const PimProblem& problem, const SpatialFactors& spatial,
                             const ClimbLimits& limits, std::uint64_t seed);

}  // namespace nestor::pim
