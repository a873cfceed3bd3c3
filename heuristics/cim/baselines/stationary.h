// Dataflows for comparison with mappers (docs/models/cim.md, section 12.1). Weight stationary: axes are
// filled as far as possible, and only loops over weight dimensions are outside the array. Each weight tile is
// thus loaded once and stays until all its work is done. The remaining decisions (which weight loops are
// inside the array, the loop order, the blocks of the other operands, and double buffers) are made to
// minimise latency. The output-stationary and input-stationary dataflows likewise load each tile of O or I
// into its innermost memory only once.
#pragma once

#include "base/stop_signal.h"
#include "heuristics/cim/baselines/nest.h"

namespace nestor::baselines {

/// Returns the best mapping that keeps `stays` stationary, or nothing if no tile fits even with the fewest
/// lanes.
std::optional<Placed> stationary(const LayerShape& layer, const Architecture& machine, Operand stays,
                                 cim::LatencyModel model, const StopSignal* stop = nullptr);

}  // namespace nestor::baselines
