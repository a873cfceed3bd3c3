// Bottlenecks of a layer of the cim space (mapper/loopnest/explain_resource.h): the array's speed, bandwidths
// and capacities of memories, and axes. The request's search finds the optimum on each changed machine,
// starting from the current mapping. A step doubles a resource, up to the largest amount that the layer could
// use. Energies per access and leakage stay unchanged: the cost of a larger memory is not modelled.
#pragma once

#include <vector>

#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/explain_resource.h"

namespace nestor::mapper {

using Change = SearchedChange<MappedCimLayer>;
using LayerResource = SearchedReport<MappedCimLayer>;

/// Returns a report for each resource. `map` must be the result of map_layer() for the layer and this
/// request, and contain a mapping, not a Pareto front. The request's work limit applies to each search; the
/// time limit of one layer applies to all searches together.
std::vector<LayerResource> explain_layer(const LayerShape& layer, const Architecture& machine,
                                         const CimRequest& request, const CimLayerMap& map,
                                         const Resources& resources);

}  // namespace nestor::mapper
