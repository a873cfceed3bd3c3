// Mapper of one layer: it builds the search problem, runs the engine and checks the result.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

/// Maps a layer, which must have passed admit(). The result depends only on `layer`, `machine` and `request`,
/// unless a limit of time or memory, or an interruption, stopped it. With an observer that needs labels, a
/// single search from the inside out proves the layer, without techniques for which docs/proofs.md has no
/// rule.
CimLayerMap map_layer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                      const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
