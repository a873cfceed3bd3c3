// A mapper in the manner of ZigZag's temporal mapping engine (LOMA; Symons et al., "LOMA: Fast
// Auto-Scheduling on DNN Accelerators through Loop-Order-based Memory Allocation", AICAS 2021): for each of a
// few spatial choices of best use, all orders of its loops, prime factors merged until few are left, and for
// each order the memories allocated from the inside out. Blocks are even (operands leave a memory that they
// share at one loop) or uneven.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

struct OrderLimits {
  std::size_t spatial_choices = 3;  ///< ZigZag's own number
  std::size_t loops = 6;            ///< at most so many are ordered, ZigZag's own `lpf_limit`
  const StopSignal* stop = nullptr;
};

/// The mapping of least cost met; nothing if none fitted.
std::optional<Placed> best_order(const LayerShape& layer, const Architecture& machine, const CostOf& cost,
                                 const OrderLimits& limits = {});

}  // namespace nestor::baselines
