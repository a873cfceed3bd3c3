// Bottlenecks of a layer of the pim space (mapper/loopnest/explain_resource.h): the array's speed,
// bandwidths, capacities and axes, and in DRAM the banks and the rate of row activations. A step doubles the
// resource, up to the largest amount that has an effect. Searches accept only mappings cheaper than the
// current one.
#pragma once

#include "mapper/loopnest/explain_resource.h"
#include "mapper/pim/map_layer.h"

namespace nestor::mapper::pim {

using Change = SearchedChange<MappedPimLayer>;
using LayerResource = SearchedReport<MappedPimLayer>;

/// Returns a report for each resource. `map` must be the result of map_layer() for this request, and contain
/// a mapping, not a Pareto front. The request's work limit applies to each search; the time limit of one
/// layer applies to all searches together.
std::vector<LayerResource> explain_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                         const PimRequest& request, const PimLayerMap& map,
                                         const Resources& resources);

}  // namespace nestor::mapper::pim
