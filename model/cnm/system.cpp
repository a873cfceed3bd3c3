#include "model/cnm/system.h"

#include <cmath>

namespace nestor::cnm {

Int barrier_cycles(const System& system, Int tasklets) {
  const auto& table = system.barrier;
  if (table.empty()) return 0;
  const auto above = table.lower_bound(tasklets);
  double cycles = 0;
  if (above == table.end()) {
    cycles = table.rbegin()->second;
  } else if (above->first == tasklets || above == table.begin()) {
    cycles = above->second;
  } else {
    const auto below = std::prev(above);
    const double share =
        static_cast<double>(tasklets - below->first) / static_cast<double>(above->first - below->first);
    cycles = below->second + share * (above->second - below->second);
  }
  return static_cast<Int>(std::floor(cycles + half_up));
}

Int busy_cycles(const TransferTime& time, Int bytes) {
  const double cycles = time.setup + time.per_byte * static_cast<double>(bytes);
  return static_cast<Int>(std::floor(cycles + half_up));
}

Int return_cycles(const TransferTime& time) { return static_cast<Int>(std::floor(time.back + 0.5)); }

}  // namespace nestor::cnm
