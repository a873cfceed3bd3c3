// Claims of a result of the cnm space and of a new search, for report/claim_check.
#pragma once

#include "mapper/cnm/rank.h"
#include "report/claim_check.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Returns the claim of each kernel; `claims` is the result as written. Times are objectives, and a ranking
/// is a list of best mappings.
std::vector<ClaimedOptimum> claims_of(const KernelWork& work, const io::Json& claims);

/// Returns the findings of a new search. `ranked` holds the best mappings, as many as the result lists, if it
/// has a list and they were found.
ProvedOptimum proof_of_kernel(const cnm::MapResult& result, std::span<const cnm::RankedMap> ranked);

}  // namespace nestor::report
