// A heuristic mapper in the manner of ZigZag: random nests under an evaluation budget, the better ones
// improved by hill climbing (swap two loops, move one, move a factor between an axis and the loops). Blocks
// are uneven: each operand's are derived on their own.
#pragma once

#include <functional>

#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct SampleBudget {
  std::uint64_t seed = 1;
  int evaluations = 1000;  ///< nests placed and evaluated
  int patience = 60;       ///< failed changes in a row before another random nest is tried
};

/// What a mapping is judged by; empty: its cycles.
using SampleCost = std::function<double(const Mapping&)>;

/// The mapping of least cost that was met; nothing if none of the nests fitted. Blocks and buffers of a nest
/// are placed for latency, whatever the cost. `stops`: asked before each evaluation.
std::optional<Placed> sampled(const LayerShape& layer, const Architecture& machine, cim::LatencyModel model,
                              const SampleBudget& budget = {}, const SampleCost& cost = nullptr,
                              const std::function<bool()>& stops = nullptr);

}  // namespace nestor::baselines
