// Layers mapped by the baselines (heuristics/cim/baselines) instead of the search, so that what an optimum
// gains over a fixed dataflow or over sampling can be read off two result files.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

/// `request.method` is a baseline's. They are built for latency, whatever the objective; that is only what
/// the mapping is judged by. Constraints and padding do not count, nor do limits but those of time. No
/// mapping means only that the baseline found none.
CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources);

}  // namespace nestor::mapper
