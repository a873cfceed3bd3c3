// Questions about maps that their builders may ask without knowing an estimate or a host.
#pragma once

#include <functional>

#include "base/cost.h"
#include "model/cnm/mapping.h"

namespace nestor::cnm {

/// Costs in any unit.
struct MapJudge {
  /// Of a map without order, as it stands, steps for all that is not placed yet: about its cost, and the time
  /// that transfers take of it. no_cost if no map with these parts and a block no smaller is legal.
  struct Outlook {
    double cost = no_cost;
    double transfers = 0;
  };
  std::function<Outlook(const CnmMap&)> outlook;
  /// Of a complete map; no_cost if it is not legal.
  std::function<double(const CnmMap&)> cost;
};

}  // namespace nestor::cnm
