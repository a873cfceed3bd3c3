// What the search of a PIM machine's layers found, as a result has it.
#pragma once

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map);

/// What binds the layer.
void explain(io::pim::LayerRecord& record, const std::vector<mapper::pim::LayerResource>& reports,
             const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
