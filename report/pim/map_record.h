// Converts the mapper's outcome for a layer to the layer's record in a result.
#pragma once

#include <vector>

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

/// Returns a mapping of `layer` with its cost.
io::pim::PimPoint point_of(const mapper::pim::MappedPimLayer& mapped, const Layer& layer,
                           const io::pim::PimRun& run);

/// Stores the outcome for a layer of `run` in its record.
void set_result(const io::pim::PimRun& run, io::pim::PimRecord& record, const mapper::pim::PimLayerMap& map);

/// Stores the effect of changing each resource in the record of a layer of `run`.
void explain(const io::pim::PimRun& run, io::pim::PimRecord& record,
             const std::vector<mapper::pim::LayerResource>& reports);

}  // namespace nestor::report
