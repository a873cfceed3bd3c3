// Converts a pim result to claims, and the outcome of a new search to proofs. report/claim_check compares
// them.
#pragma once

#include "mapper/pim/one_table.h"
#include "report/claim_check.h"
#include "report/results/pim/result_file.h"

namespace nestor::report {

/// Returns the claim of each layer; `claims` is the result as written.
std::vector<ClaimedOptimum> claims_of(const io::pim::RunRecord& run, const io::Json& claims);
/// Returns the optima that a new search proved. `maps` holds the results of searching each of `shapes`.
std::vector<ProvedOptimum> proofs_of(const io::pim::RunRecord& run, const UniqueShapes& shapes,
                                     const std::vector<mapper::pim::PimLayerMap>& maps);

/// Return the claim and the proof of the sum over all layers. With one bypass table for all layers, only this
/// sum is proved, not each layer.
ClaimedOptimum claim_of_all(const io::pim::RunRecord& run, std::span<const ClaimedOptimum> layers);
ProvedOptimum proof_of_all(const UniqueShapes& shapes, const mapper::pim::NetworkMap& map);

}  // namespace nestor::report
