// Re-checks a result file: is every mapping legal and canonical, does it cost what the file says, do bound,
// gap and status agree, do the totals add up? All figures come from model/cim/second_reading and from a
// replay, none from the evaluator that the file was written with.
#pragma once

#include "report/results/cim/result_file.h"
#include "report/verify/result_check.h"

namespace nestor::io {

/// Everything in a result of the cim space.
ResultCheck check_result(const RunResult& result);

}  // namespace nestor::io
