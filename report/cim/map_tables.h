// Tables of `nestor map`: the layers with the status of their proofs, the totals, and loop nests.
#pragma once

#include "io/options.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Formats a value of the run's objective. Only an energy has a unit.
std::string objective_text(const io::RunResult& run, double value);

std::string map_tables_text(const io::RunResult& run, const io::RunOptions& options);

/// Returns the points of every layer's front.
std::string front_points_text(const io::RunResult& run);

}  // namespace nestor::report
