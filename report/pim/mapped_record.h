// Record of the search for layers on a PIM machine in a result.
#pragma once

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map);

/// What binds the layer.
void explain(io::pim::LayerRecord& record, const std::vector<mapper::pim::LayerResource>& reports,
             const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
