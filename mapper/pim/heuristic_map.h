// Mappings of a layer on a PIM machine without a proof of optimality.
#pragma once

#include "mapper/pim/map_layer.h"

namespace nestor::mapper::pim {

/// Checks legality and constraints, and evaluates the mapping. `point` is complete only if there is no fault.
Fault check_mapping(const nestor::pim::PimProblem& problem, const PimMapping& mapping,
                    nestor::pim::RowCounter& rows, MappedPimLayer& point);

/// Returns the mapping that a baseline finds, if any, without a bound.
PimLayerMap map_by_baseline(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                            const PimRequest& request, const Resources& resources);

/// Maps a layer by beam search instead of the exact search (mapper/loopnest/priority.h).
PimLayerMap map_by_priority(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                            const PimRequest& request, const Resources& resources, EngineObserver* observer);

}  // namespace nestor::mapper::pim
