// What the search of a PIM machine's layers found, as a result has it.
#pragma once

#include "mapper/pim/one_table.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map,
                const io::pim::NamedPimMachine& machine);

/// For every memory the operands that it stores, those that store none left out.
io::Json bypass_table_json(const nestor::pim::StoredPairs& stored, const io::pim::NamedPimMachine& machine);

}  // namespace nestor::report
