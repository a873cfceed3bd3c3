// Tables of nestor map for layers on a PIM machine: one row per layer with its bound, the fronts, the list of
// --top, and loop nests if requested.
#pragma once

#include "io/options.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

std::string map_tables_text(const io::pim::PimRun& run, const io::RunOptions& options, double seconds);

/// Returns the costs of given mappings.
std::string evaluations_text(const io::pim::PimRun& run);

/// Returns the rows that each operand opens and the cycles, in both row models, or an empty string if the
/// layers have no figures of both models.
std::string row_models_text(const io::pim::PimRun& run);

}  // namespace nestor::report
