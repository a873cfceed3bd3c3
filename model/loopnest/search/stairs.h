// The latency-energy points known so far, as a search sees them: what none of them makes pointless.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/cost.h"
#include "model/loopnest/dims.h"

namespace nestor {

struct Stair {
  Int latency = 0;
  Cost additive = 0;  ///< nothing as dear or dearer is wanted from here on
};

/// A view of stairs that descend: latencies ascend, additive costs fall.
struct Stairs {
  const Stair* stairs = nullptr;
  std::size_t count = 0;

  bool cover(Int latency, Cost additive) const {
    if (count == 0 || additive < stairs[count - 1].additive || latency < stairs[0].latency) return false;
    const Stair* after = std::upper_bound(
        stairs, stairs + count, latency, [](Int value, const Stair& stair) { return value < stair.latency; });
    return additive >= (after - 1)->additive;
  }
};

}  // namespace nestor
