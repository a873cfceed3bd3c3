// Record of the searches for layers on a PIM machine, as part of a result.
#pragma once

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map);

/// Records which resources bind the layer.
void explain(io::pim::LayerRecord& record, const std::vector<mapper::pim::LayerResource>& reports,
             const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
