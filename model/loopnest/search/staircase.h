// Latency-energy points found so far, in a form that lets a search prune all mappings that they dominate.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/cost.h"
#include "model/loopnest/dims.h"

namespace nestor {

struct StaircasePoint {
  Int latency = 0;
  Cost additive = 0;  ///< at this latency or above, only lower costs are improvements
};

/// A view of a staircase: latencies ascend and additive costs descend.
struct Staircase {
  const StaircasePoint* points = nullptr;
  std::size_t count = 0;

  bool cover(Int latency, Cost additive) const {
    if (count == 0 || additive < points[count - 1].additive || latency < points[0].latency) return false;
    const StaircasePoint* after =
        std::upper_bound(points, points + count, latency,
                         [](Int value, const StaircasePoint& stair) { return value < stair.latency; });
    return additive >= (after - 1)->additive;
  }
};

}  // namespace nestor
