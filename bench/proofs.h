// Helpers of the proof benchmarks: the objectives by name, and the memory budget, deadline and clocks of one
// search.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "model/cim/search/objective.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/stop_source.h"

namespace nestor::bench {

struct ProofObjective {
  std::string name;
  cim::CimObjective objective;
  bool front = false;  ///< true for the whole latency-energy front
};

inline const std::vector<ProofObjective>& proof_objectives() {
  using cim::LatencyModel;
  using cim::ObjectiveKind;
  static const std::vector<ProofObjective> objectives = {
      {"miredo", {{.kind = ObjectiveKind::latency}, LatencyModel::miredo}},
      {"stall", {{.kind = ObjectiveKind::latency}, LatencyModel::stall}},
      {"energy", {{.kind = ObjectiveKind::energy}}},
      {"miredo-edp", {{.kind = ObjectiveKind::edp}, LatencyModel::miredo}},
      {"stall-edp", {{.kind = ObjectiveKind::edp}, LatencyModel::stall}},
      {"miredo-front", {{}, LatencyModel::miredo}, true},
      {"stall-front", {{}, LatencyModel::stall}, true},
  };
  return objectives;
}

/// Returns the gap, in per cent, that this share of all gaps does not exceed, or "-" if there are none.
inline std::string per_cent_at(std::vector<double> gaps, double share) {
  if (gaps.empty()) return "-";
  std::sort(gaps.begin(), gaps.end());
  const auto place = static_cast<std::size_t>(std::ceil(share * static_cast<double>(gaps.size() - 1)));
  return fmt::format("{:.1f}", 100 * gaps[place]);
}

/// Processor and wall-clock time since construction.
class Stopwatch {
 public:
  double cpu() const { return static_cast<double>(std::clock() - cpu_begin_) / CLOCKS_PER_SEC; }
  double wall() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 protected:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

 private:
  std::clock_t cpu_begin_ = std::clock();
};

/// Memory budget and deadline of one search, and the time since it began.
class Limited : public Stopwatch {
 public:
  explicit Limited(double seconds)
      : stop(begin_ + std::chrono::microseconds(static_cast<long long>(seconds * 1e6))) {}

  MemoryBudget memory{std::size_t{16} << 30U};
  StopSource stop;
};

}  // namespace nestor::bench
