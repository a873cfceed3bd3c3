// Bottlenecks of a layer of the pim space (mapper/loopnest/explain_resource.h): the array's speed,
// bandwidths, capacities and axes, and in DRAM the banks and the rate of row activations. A step doubles the
// amount of a resource. Only mappings that cost less than the current one are searched.
#pragma once

#include "mapper/loopnest/explain_resource.h"
#include "mapper/pim/map_layer.h"

namespace nestor::mapper::pim {

using Change = SearchedChange<MappedPimLayer>;
using LayerResource = SearchedReport<MappedPimLayer>;

/// Returns a report for each resource. `map` must be the result of map_layer() for this request, with a
/// mapping and not a Pareto front. All searches together have the time limit of one layer; each has the
/// request's work limit.
std::vector<LayerResource> explain_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                         const PimRequest& request, const PimLayerMap& map,
                                         const Resources& resources);

}  // namespace nestor::mapper::pim
