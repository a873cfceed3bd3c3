// A mapper in the manner of ZigZag's temporal mapping engine (LOMA; Symons et al., "LOMA: Fast
// Auto-Scheduling on DNN Accelerators through Loop-Order-based Memory Allocation", AICAS 2021). For the few
// spatial choices with the most lanes, it tries all orders of the loops, whose prime factors are merged until
// few are left. For each order, memories are allocated from the inside out. Blocks are even (operands leave a
// shared memory at the same loop) or uneven.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct OrderLimits {
  std::size_t spatial_choices = 3;  ///< as in ZigZag
  std::size_t loops = 6;            ///< largest number of loops to order, as in ZigZag's `lpf_limit`
  const StopSignal* stop = nullptr;
};

/// Returns the mapping with the least cost found, or nothing if none fits.
std::optional<Placed> best_order(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                                 const OrderLimits& limits = {});

}  // namespace nestor::baselines
