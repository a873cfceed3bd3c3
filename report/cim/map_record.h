// Converts the mapper's outcome for a layer to the layer's record in a result.
#pragma once

#include "mapper/cim/map_layer.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

io::LayerResult map_record(const Layer& layer, const mapper::CimLayerMap& map,
                           const NamedArchitecture& architecture, cim::LatencyModel model);

}  // namespace nestor::report
