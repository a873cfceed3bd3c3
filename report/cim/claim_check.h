// What a result claims to have proved, against what a search made again has proved: status, bound,
// completeness of fronts and of lists of the best.
#pragma once

#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "report/verify/result_check.h"

namespace nestor::report {

/// `maps`: of the run's shapes, found by `request`. What they decide is no longer among the entries that are
/// not checked.
void check_claims(const io::RunResult& run, const UniqueShapes& shapes,
                  const std::vector<mapper::LayerMap>& maps, const mapper::Request& request,
                  io::ResultCheck& check);

}  // namespace nestor::report
