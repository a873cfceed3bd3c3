#include "model/loopnest/space/front.h"

#include <cmath>
#include <limits>

namespace nestor {

double cheaper_than(double energy) {
  constexpr double tolerance = 1e-9;
  return std::min(energy - std::abs(energy) * tolerance,
                  std::nextafter(energy, -std::numeric_limits<double>::infinity()));
}

bool GrowingStairs::add(Int latency, double energy) {
  if (view().cover(latency, energy)) return false;
  const Stair stair{latency, cheaper_than(energy)};
  const auto begin = std::lower_bound(stairs_.begin(), stairs_.end(), latency,
                                      [](const Stair& other, Int value) { return other.latency < value; });
  const auto end =
      std::find_if(begin, stairs_.end(), [&](const Stair& other) { return other.additive < stair.additive; });
  stairs_.insert(stairs_.erase(begin, end), stair);
  return true;
}

}  // namespace nestor
