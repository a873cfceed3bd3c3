// Tables of nestor map for layers on a PIM machine: a row for each with its bound, the fronts, what --top
// asks for, and loop nests if they are wanted.
#pragma once

#include "io/options.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

/// A value of the run's objective with its unit.
std::string objective_text(const io::pim::RunRecord& run, double value);

std::string map_tables_text(const io::pim::RunRecord& run, const io::RunOptions& options, double seconds);

/// The points of every layer's front; empty without any.
std::string fronts_text(const io::pim::RunRecord& run);

/// What given mappings cost.
std::string evaluations_text(const io::pim::RunRecord& run);

/// Rows that each operand opens by both row models; empty on machines without rows.
std::string row_models_text(const io::pim::RunRecord& run);

}  // namespace nestor::report
