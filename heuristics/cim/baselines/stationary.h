// Dataflows for comparison with mappers (docs/models/cim.md, section 12.1). Weight stationary: axes are
// filled as far as possible, and only loops that change the weights are outside the array. A weight tile is
// thus loaded once and stays until all its work is done. The free decisions (the weight loops that the array
// holds, the order, blocks, double buffers) are made for latency. Output and input stationary work in the
// same way, in their innermost memories.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

/// Returns the best mapping that keeps `stays` stationary, or nothing if no tile fits, however few lanes are
/// used.
std::optional<Placed> stationary(const LayerShape& layer, const Architecture& machine, Operand stays,
                                 cim::LatencyModel model, const StopSignal* stop = nullptr);

}  // namespace nestor::baselines
