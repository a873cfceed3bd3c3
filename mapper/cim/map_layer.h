// Mapper of one layer of the cim space: builds the search problem, runs the requested method and checks the
// result.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

/// Maps a layer, which must have passed admit(). The result depends only on `layer`, `machine` and `request`,
/// unless a time or memory limit or an interruption stops the search. If the observer needs labels, a single
/// inside-out search proves the layer, without techniques for which docs/proofs.md has no rule.
CimLayerMap map_layer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                      const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
