// Embedded profile on the desktop: the search that runs on a device (mapper/embedded), with the same amount
// of memory, so that the desktop and the device find the same mappings in the same steps.
#pragma once

#include "mapper/cim/map_layer.h"

namespace nestor::mapper {

/// Maps a layer. Uses only the objective, the constraints, the factors, the limits and the workspace of
/// `request`.
CimLayerMap map_embedded(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                         const Resources& resources, EngineObserver* observer = nullptr);

}  // namespace nestor::mapper
