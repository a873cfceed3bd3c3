// A heuristic mapper modelled on ZigZag. It draws random loop nests under an evaluation budget and improves
// each nest that fits by hill climbing. A step swaps two loops, moves a loop, or moves a factor between an
// axis and the loops. Blocks are uneven: those of each operand are derived separately.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct SampleBudget {
  std::uint64_t seed = 1;
  int evaluations = 1000;  ///< loop nests placed and evaluated
  int patience = 60;       ///< failed changes in a row before a new random loop nest
  const StopSignal* stop = nullptr;
};

/// Returns the cheapest mapping found, or nothing if no loop nest fits.
std::optional<Placed> sampled(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                              const SampleBudget& budget = {});

}  // namespace nestor::baselines
