// Check of a result of the cim space (report/verify/nest_check.h). All figures come from check/cim/contract.h
// and from a replay, none from the evaluator that wrote the file.
#pragma once

#include "report/results/cim/result_file.h"
#include "report/verify/run_claims.h"

namespace nestor::io {

/// Checks a result. `run` was read from the result, whose JSON is `claims`.
ResultCheck check_cim_result(const CimRun& run, const Json& claims, const NetworkReader& read_network);

/// Checks only that the mappings are legal and canonical, for a run that claims no figures.
ResultCheck check_cim_mappings(const CimRun& run);

}  // namespace nestor::io
