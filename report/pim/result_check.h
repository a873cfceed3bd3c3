// Comparison of a pim result's claims with a second reading of every mapping in it (second_result.h),
// its words, and the inputs that it names where they are available. For nestor verify.
#pragma once

#include "report/results/pim/result_file.h"
#include "report/verify/run_claims.h"

namespace nestor::report {

/// `run`: what the result was read as; it has as many layers.
io::ResultCheck check_pim_result(const io::pim::RunRecord& run, const io::Json& claims,
                                 const io::NetworkReader& read_network);

/// Mappings alone: is each legal?
io::ResultCheck check_pim_mappings(const io::pim::RunRecord& run);

}  // namespace nestor::report
