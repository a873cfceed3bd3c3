// Tables of `nestor map`: the layers with the status of their proofs, the totals, fronts, and loop nests.
#pragma once

#include "io/options.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

std::string map_tables_text(const io::CimRun& run, const io::RunOptions& options);

}  // namespace nestor::report
