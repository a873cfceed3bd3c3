// Check of a result file: mappings are legal and canonical and have the claimed costs; bound, gap and status
// agree; totals are sums. All figures come from check/cim/contract.h and from a replay, none from the
// evaluator that wrote the file.
#pragma once

#include "report/results/cim/result_file.h"
#include "report/verify/result_check.h"

namespace nestor::io {

/// Checks the mappings and figures of a result. A result of another space is a finding.
ResultCheck check_result(const RunResult& result);

}  // namespace nestor::io
