// Tables of `nestor evaluate` for layers on a cim machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cim/evaluate.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// A layer each; nothing where there is no mapping.
using Evaluations = std::vector<std::optional<cim::CimEvaluation>>;

std::string evaluations_text(const io::RunResult& run, const Evaluations& evaluations,
                             cim::LatencyModel model);

/// Where the energy goes and what crosses each memory's inner border.
std::string components_text(const cim::CimEvaluation& evaluation, const NamedArchitecture& architecture);

}  // namespace nestor::report
