// A heuristic mapper in the manner of ZigZag: random nests under an evaluation budget, the better ones
// improved by hill climbing (swap two loops, move one, move a factor between an axis and the loops). Blocks
// are uneven: each operand's are derived on their own.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct SampleBudget {
  std::uint64_t seed = 1;
  int evaluations = 1000;  ///< nests placed and evaluated
  int patience = 60;       ///< failed changes in a row before another random nest is tried
  const StopSignal* stop = nullptr;
};

/// The mapping of least cost met; nothing if none of the nests fitted.
std::optional<Placed> sampled(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                              const SampleBudget& budget = {});

}  // namespace nestor::baselines
