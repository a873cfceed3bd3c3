// Objective of the search (docs/models/cim.md, section 8): latency under the selected model, and an additive
// cost. The additive cost is energy or, for eq14, the sum of the negative weighted sizes.
#pragma once

#include "model/cim/evaluate.h"
#include "model/loopnest/objective_kind.h"

namespace nestor::cim {

using nestor::ObjectiveKind;

struct CimObjective : NestObjective {
  LatencyModel latency_model = LatencyModel::stall;
};

/// Returns the default mu2: 0.001 / (sum of index * capacity over all memories with limited capacity that are
/// not a home). Returns 0 if the sum is 0.
double default_eq14_weight(const Architecture& machine);

/// Returns the objective of an evaluated mapping.
double objective_value(const CimObjective& objective, const CimEvaluation& evaluation,
                       const Architecture& machine);

}  // namespace nestor::cim
