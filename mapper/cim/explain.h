// Bottlenecks of a layer of the cim space (mapper/loopnest/explain_resource.h): the array's speed, a memory's
// bandwidth, a memory's capacity, an axis. The same search finds each optimum on the changed machine,
// starting from the current mapping. A step of an axis is the next number of lanes that factors fill.
// Energies per access and leakage are kept: the cost of a larger memory is not modelled.
#pragma once

#include <vector>

#include "mapper/cim/map_layer.h"
#include "mapper/loopnest/explain_resource.h"

namespace nestor::mapper {

using Change = SearchedChange<MappedCimLayer>;
using LayerResource = SearchedReport<MappedCimLayer>;

/// Returns a report for each resource. `map` must be the result of map_layer() for the layer and this
/// request, with a mapping and not a Pareto front. Every search has the request's work limit; all of them
/// together have the time limit of one layer.
std::vector<LayerResource> explain_layer(const LayerShape& layer, const Architecture& machine,
                                         const CimRequest& request, const CimLayerMap& map,
                                         const Resources& resources);

}  // namespace nestor::mapper
