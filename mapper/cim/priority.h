// Mapping of a layer by beam search instead of an exact search (mapper/loopnest/priority.h), for `--method
// priority`.
#pragma once

#include "mapper/cim/map_layer.h"

namespace nestor::mapper {

/// Maps a layer by beam search. Uses the objective, constraints, flexible factors, seed and limits of
/// `request`.
CimLayerMap map_by_priority(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
