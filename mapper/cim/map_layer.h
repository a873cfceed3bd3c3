// Maps one layer: builds its search problem, runs the engine and checks what comes out.
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/request.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

/// `layer` passed admit(). The result depends only on `layer`, `machine` and `request`, unless a limit of
/// time or memory, or an interruption, cut it short. With an observer that needs labels one search from the
/// inside out proves the layer, without what docs/proofs.md has no rule for.
CimLayerMap map_layer(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                      const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
