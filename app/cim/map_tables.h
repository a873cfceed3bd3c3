// What `nestor map` prints: the layers with how far each is proved, totals, loop nests.
#pragma once

#include "io/options.h"
#include "io/result_file.h"

namespace nestor::app::cim_space {

/// A value of the run's objective with its unit.
std::string objective_text(const io::RunResult& run, double value);

void print_map_tables(const io::RunResult& run, const io::RunOptions& options);

}  // namespace nestor::app::cim_space
