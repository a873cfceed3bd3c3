// Functions that store the mapper's outcome for a layer on a PIM machine in the layer's record.
#pragma once

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map);

/// Records in the layer the effect of changing each resource.
void explain(io::pim::LayerRecord& record, const std::vector<mapper::pim::LayerResource>& reports,
             const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
