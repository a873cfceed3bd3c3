// Bottlenecks of a layer of the pim space (mapper/loopnest/explain_resource.h): the array's speed,
// bandwidths, capacities, axes, and in DRAM the banks and the rate at which rows open. A step is twice as
// much. Only what costs less than the current mapping is searched for.
#pragma once

#include "mapper/loopnest/explain_resource.h"
#include "mapper/pim/map_layer.h"

namespace nestor::mapper::pim {

using Change = SearchedChange<MappedPimLayer>;
using LayerResource = SearchedReport<MappedPimLayer>;

/// `map` is what map_layer() found with this request (no front), and has a mapping. All searches together
/// have the time limit of one layer, each has the request's work limit.
std::vector<LayerResource> explain_layer(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                         const PimRequest& request, const PimLayerMap& map,
                                         const Resources& resources);

}  // namespace nestor::mapper::pim
