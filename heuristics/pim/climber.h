// Small steps from a start to a mapping that none of them makes cheaper, of given spatial factors. A level
// nest begins with all its loops outermost; single factors then move inward or back, two change places,
// neighbours in a level's order too, operands pass by a memory or lie otherwise in DRAM, as long as that
// makes the mapping cheaper or, at equal cost, its memories less busy. What is stuck is kicked at random and
// climbs again.
#pragma once

#include <optional>

#include "base/random.h"
#include "heuristics/pim/level_nest.h"

namespace nestor::pim {

struct ClimbLimits {
  double enough = 0;             ///< a cost that ends the climb
  std::uint64_t judgements = 0;  ///< mappings that it may evaluate
  bool glance = false;           ///< layouts first, then tiles: for a short climb
  /// The order of all levels' loops, if it is given: neither orders nor anything else are tried at random.
  std::optional<DimOrder> order = std::nullopt;
};

struct Climbed {
  PimMapping mapping;
  double cost = 0;
  std::uint64_t judgements = 0;  ///< taken
};

/// Nothing if the smallest tiles do not fit.
std::optional<Climbed> climb(const PimProblem& problem, const SpatialFactors& spatial,
                             const ClimbLimits& limits, std::uint64_t seed);

}  // namespace nestor::pim
