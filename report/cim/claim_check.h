// Claims of a result of the cim space and of a new search, for report/claim_check.
#pragma once

#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "report/claim_check.h"
#include "report/results/cim/result_file.h"

namespace nestor::report {

/// Returns the claims of each layer.
std::vector<ClaimedOptimum> claims_of(const io::RunResult& run);

/// Returns the findings of a new search. `maps` are those of the run's shapes for `request`.
std::vector<ProvedOptimum> proofs_of(const io::RunResult& run, const UniqueShapes& shapes,
                                     const std::vector<mapper::CimLayerMap>& maps,
                                     const mapper::CimRequest& request);

}  // namespace nestor::report
