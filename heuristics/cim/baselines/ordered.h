// A mapper modelled on ZigZag's temporal mapping engine (LOMA; Symons et al., "LOMA: Fast Auto-Scheduling on
// DNN Accelerators through Loop-Order-based Memory Allocation", AICAS 2021). It considers only the few
// spatial choices with the most lanes. For each choice, it merges the prime factors into a few loops and
// tries all orders of these loops. For each order, memories are allocated from the inside out. Blocks are
// even (operands leave a shared memory at the same loop) or uneven.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct OrderLimits {
  std::size_t spatial_choices = 3;  ///< as in ZigZag
  std::size_t loops = 6;            ///< largest number of loops to order, as in ZigZag's `lpf_limit`
  const StopSignal* stop = nullptr;
};

/// Returns the cheapest mapping found, or nothing if no mapping fits.
std::optional<Placed> best_order(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                                 const OrderLimits& limits = {});

}  // namespace nestor::baselines
