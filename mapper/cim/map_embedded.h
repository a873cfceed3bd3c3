// The embedded profile on the desktop: the search that runs on a device (mapper/embedded), in as much memory
// as it would have there, so that both find the same mappings step by step.
#pragma once

#include "mapper/cim/map_layer.h"

namespace nestor::mapper {

/// Of `request` only the objective, the limits and the workspace count.
CimLayerMap map_embedded(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                         const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
