// Comparison of a pim result's claims with a second reading of every mapping in it (second_result.h), and
// check of its words and of the available inputs that it names. For nestor verify.
#pragma once

#include "report/results/pim/result_file.h"
#include "report/verify/run_claims.h"

namespace nestor::report {

/// Checks a result. `run` is the result as it was read and has as many layers.
io::ResultCheck check_pim_result(const io::pim::RunRecord& run, const io::Json& claims,
                                 const io::NetworkReader& read_network);

/// Checks that mappings without a result are legal.
io::ResultCheck check_pim_mappings(const io::pim::RunRecord& run);

}  // namespace nestor::report
