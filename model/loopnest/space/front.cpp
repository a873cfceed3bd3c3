#include "model/loopnest/space/front.h"

#include <cmath>
#include <limits>

namespace nestor {

double cheaper_than(double energy) {
  constexpr double tolerance = 1e-9;
  return std::min(energy - std::abs(energy) * tolerance,
                  std::nextafter(energy, -std::numeric_limits<double>::infinity()));
}

bool GrowingStaircase::add(Int latency, double energy) {
  if (view().cover(latency, energy)) return false;
  const StaircasePoint stair{latency, cheaper_than(energy)};
  const auto begin =
      std::lower_bound(staircase_.begin(), staircase_.end(), latency,
                       [](const StaircasePoint& other, Int value) { return other.latency < value; });
  const auto end = std::find_if(begin, staircase_.end(),
                                [&](const StaircasePoint& other) { return other.additive < stair.additive; });
  staircase_.insert(staircase_.erase(begin, end), stair);
  return true;
}

}  // namespace nestor
