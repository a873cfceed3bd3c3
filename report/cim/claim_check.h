// Converts a cim result to claims, and the outcome of a new search to proofs. report/claim_check compares
// them.
#pragma once

#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "report/claim_check.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns the claim of each layer.
std::vector<ClaimedOptimum> claims_of(const io::RunResult& run);

/// Returns the optima that a new search proved. `maps` holds the results of searching each of `shapes` with
/// `request`.
std::vector<ProvedOptimum> proofs_of(const io::RunResult& run, const UniqueShapes& shapes,
                                     const std::vector<mapper::CimLayerMap>& maps,
                                     const mapper::CimRequest& request);

}  // namespace nestor::report
