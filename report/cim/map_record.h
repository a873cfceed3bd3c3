// Converts the mapper's outcome for a layer to the layer's record in a result.
#pragma once

#include <vector>

#include "mapper/cim/explain.h"
#include "mapper/cim/map_layer.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns a mapping of `layer` with its cost under the latency model of the run.
io::CimPoint point_of(const mapper::MappedCimLayer& mapped, const Layer& layer, const io::CimRun& run);

/// Stores the outcome for a layer of `run` in its record.
void set_result(const io::CimRun& run, io::CimRecord& record, const mapper::CimLayerMap& map);

/// Stores the effect of changing each resource in the record of a layer of `run`.
void explain(const io::CimRun& run, io::CimRecord& record, const std::vector<mapper::LayerResource>& reports);

}  // namespace nestor::report
