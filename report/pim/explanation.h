// What binds the layers of a PIM machine: the mapper's findings as JSON of a result, and as text.
#pragma once

#include "mapper/pim/explain.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

io::Json resources_to_json(const std::vector<mapper::pim::LayerResource>& reports,
                           const io::pim::NamedPimMachine& machine);

/// Every explained layer of a run: its resources, how far they are used, what more of each would gain.
std::string explanation_text(const io::pim::RunRecord& run);

}  // namespace nestor::report
