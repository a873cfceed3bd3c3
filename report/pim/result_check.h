// Check of a result of the pim space (report/verify/nest_check.h), with the contracts of its mappings
// (check/pim/contract.h) and a replay.
#pragma once

#include "report/results/pim/result_file.h"
#include "report/verify/run_claims.h"

namespace nestor::report {

/// Checks a result. `run` was read from the result, whose JSON is `claims`, and has the same number of
/// layers.
io::ResultCheck check_pim_result(const io::pim::PimRun& run, const io::Json& claims,
                                 const io::NetworkReader& read_network);

/// Checks only that the mappings are legal, for a file of mappings that claims no figures.
io::ResultCheck check_pim_mappings(const io::pim::PimRun& run);

}  // namespace nestor::report
