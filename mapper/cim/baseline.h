// Mapping of layers by the baselines (heuristics/cim/baselines) instead of the search. A comparison of two
// result files then shows what an optimum gains over a fixed dataflow or over sampling.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

/// Maps a layer by the baseline that `request.method` names. Baselines are built for latency, regardless of
/// the objective; the objective only evaluates the mapping. Constraints and padding are ignored, and so are
/// all limits except those of time. An empty result means only that the baseline found no mapping.
CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources);

}  // namespace nestor::mapper
