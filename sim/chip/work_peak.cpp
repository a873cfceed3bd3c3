#include "sim/chip/work_peak.h"

#include <algorithm>

namespace nestor::sim::chip {

// Every start adds active crossbars, and every end subtracts them. At equal times, ends are processed first.
// Rows of zero length are ignored.
Int most_at_once(const std::vector<ThreadTime>& threads) {
  std::vector<std::pair<Int, Int>> changes;
  Int most = 0;
  for (const ThreadTime& thread : threads) {
    if (thread.active == 0) continue;
    if (thread.rows.empty()) most = std::max(most, thread.active);  // blocks overlap no other thread
    for (const RowTime& row : thread.rows) {
      if (row.end == row.run) continue;
      each_stretch(thread, row, [&](Int from, Int to) {
        if (from == to) return;
        changes.emplace_back(from, thread.active);
        changes.emplace_back(to, -thread.active);
      });
    }
  }
  std::sort(changes.begin(), changes.end());
  Int sum = 0;
  for (const auto& [when, change] : changes) {
    sum += change;
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace nestor::sim::chip
