// The dataflows that mappers are compared with (docs/models/cim.md, section 12.1). Weight stationary: axes
// filled as far as they go, then only those loops outside the array that change its weights, so that a weight
// tile is loaded once and stays until it has done all its work; what the rule leaves open (which loops over
// weights the array holds, the order, blocks, double buffers) is chosen for latency. Output and input
// stationary likewise, in their innermost memories.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

/// The best mapping that keeps `stays` in place; nothing if no tile fits however few lanes are used.
std::optional<Placed> stationary(const LayerShape& layer, const Architecture& machine, Operand stays,
                                 cim::LatencyModel model, const StopSignal* stop = nullptr);

}  // namespace nestor::baselines
