// What nestor map prints of a PIM machine's layers: a row for each with its bound, the fronts, what --top
// asks for, and loop nests if they are wanted.
#pragma once

#include "io/options.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

/// How many of the different layers are solved, and which one is being solved.
std::string map_progress(std::size_t solved, std::size_t layers, const std::string& now);

std::string map_tables_text(const io::pim::RunRecord& run, const io::RunOptions& options, double seconds);

/// What given mappings cost.
std::string evaluations_text(const io::pim::RunRecord& run);

}  // namespace nestor::report
