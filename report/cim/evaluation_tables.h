// Tables of `nestor evaluate` for layers on a cim machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cim/evaluate.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// One evaluation for each layer, or nothing for a layer without a mapping.
using Evaluations = std::vector<std::optional<cim::CimEvaluation>>;

std::string evaluations_text(const io::CimRun& run, const Evaluations& evaluations, cim::LatencyModel model);

/// Returns the energy by component, and the traffic across each memory's inner border.
std::string components_text(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture);

}  // namespace nestor::report
