// Objective of the search (docs/models/cim.md, section 8): latency under the selected model, and an additive
// cost, which is energy or, for eq14, the negative weighted sizes.
#pragma once

#include "model/cim/evaluate.h"
#include "model/loopnest/objective_kind.h"

namespace nestor::cim {

using nestor::ObjectiveKind;

struct CimObjective : NestObjective {
  LatencyModel latency_model = LatencyModel::stall;
};

/// Returns the default mu2: 0.001 / (sum over memories that are home to no operand of index * capacity).
double default_eq14_weight(const Architecture& machine);

/// Returns the objective of an evaluated mapping.
double objective_value(const CimObjective& objective, const CimEvaluation& evaluation,
                       const Architecture& machine);

}  // namespace nestor::cim
