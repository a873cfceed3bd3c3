// Interface that provides costs to builders of maps, which have no access to estimates or to the host.
#pragma once

#include <functional>

#include "base/cost.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Cost functions, in any unit.
struct MapJudge {
  /// Forecast for a map without order whose steps include everything that is not placed yet: its approximate
  /// cost, and the time of its transfers, in any unit. The cost is no_cost if no map with these parts and at
  /// least this block is legal.
  struct RemainingTransfers {
    double cost = no_cost;
    double transfers = 0;
  };
  std::function<RemainingTransfers(const CnmMap&)> outlook;
  /// Returns the cost of a complete map, or no_cost if the map is illegal.
  std::function<double(const CnmMap&)> cost;
};

}  // namespace nestor::cnm
