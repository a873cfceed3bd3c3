// Check of a pim result for nestor verify. Its claims are compared with a second reading of every mapping in
// it (second_result.h). Its words, and the inputs that it names and that are available, are checked as well.
#pragma once

#include "report/results/pim/result_file.h"
#include "report/verify/run_claims.h"

namespace nestor::report {

/// Checks a result. `run` is the result as it was read, with the same number of layers as `claims`.
io::ResultCheck check_pim_result(const io::pim::RunRecord& run, const io::Json& claims,
                                 const io::NetworkReader& read_network);

/// Checks that mappings without a result are legal.
io::ResultCheck check_pim_mappings(const io::pim::RunRecord& run);

}  // namespace nestor::report
