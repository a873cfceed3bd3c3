// Hill climbing for given spatial factors, up to a mapping that no single step makes cheaper. A level nest
// starts with all loops outermost. A step moves one factor to another level, exchanges two factors or two
// adjacent loops of a level, bypasses a memory, or changes a layout in DRAM. It is kept if the mapping
// becomes cheaper or, at equal cost, its memories less busy. At a local optimum, the search makes random
// steps and climbs again.
#pragma once

#include <optional>

#include "base/random.h"
#include "heuristics/pim/level_nest.h"

namespace nestor::pim {

struct ClimbLimits {
  double enough = 0;             ///< the climb ends at this cost or below
  std::uint64_t judgements = 0;  ///< limit on evaluated mappings
  bool glance = false;           ///< layouts first, then tiles: for a short climb
  /// Order of the loops of all levels. If it is given, no orders and no random steps are tried.
  std::optional<DimOrder> order = std::nullopt;
};

struct Climbed {
  PimMapping mapping;
  double cost = 0;
  std::uint64_t judgements = 0;  ///< number of evaluated mappings
};

/// Returns nothing if the smallest tiles do not fit.
std::optional<Climbed> climb(const PimProblem& problem, const SpatialFactors& spatial,
                             const ClimbLimits& limits, std::uint64_t seed);

}  // namespace nestor::pim
