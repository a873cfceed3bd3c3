// Converts a cnm result to claims, and the outcome of a new search to proofs. report/claim_check compares
// them.
#pragma once

#include "mapper/cnm/rank.h"
#include "report/claim_check.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// Returns the claim of each kernel; `claims` is the result as written. Times are objectives, and a ranking
/// is a list of best mappings.
std::vector<ClaimedOptimum> claims_of(const KernelWork& work, const io::Json& claims);

/// Returns the optimum that a new search proved. If the result lists its best mappings, `ranked` contains as
/// many mappings as the list, or is empty if they were not found.
ProvedOptimum proof_of_kernel(const cnm::MapResult& result, std::span<const cnm::RankedMap> ranked);

}  // namespace nestor::report
