// Layers mapped by the baselines (heuristics/cim/baselines) instead of the search, so that what an optimum
// gains over a fixed dataflow or over sampling can be read off two result files.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

/// `request.method` is a baseline's. Stationary ones are built for latency, whatever the objective;
/// sampling honours it, with `samples` and `layer_seconds` as its budget. Constraints, padding and limits of
/// the search do not count. No mapping means only that the baseline found none.
CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request);

}  // namespace nestor::mapper
