// Mapping of layers by the baselines (heuristics/cim/baselines) instead of the search. A comparison of two
// result files then shows the gain of an optimum over a fixed dataflow or over sampling.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

/// Maps a layer by the baseline `request.method`. The stationary dataflows minimise latency; for them, the
/// objective is only evaluated. The other baselines minimise the objective. Constraints, padding and work
/// limits are ignored. An empty result means only that the baseline found no mapping.
CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources);

}  // namespace nestor::mapper
