// One search problem of the cim space: a machine and an objective beside what all loop-nest problems have.
#pragma once

#include "model/cim/search/objective.h"
#include "model/loopnest/search/front_problem.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor::cim {

using nestor::front_problem;

struct CimProblem : NestProblem {
  Architecture machine;
  CimObjective objective;

  /// Which parts of the cost a search must follow: those that the objective reads or a limit bounds.
  bool follows_latency() const { return objective.needs_latency() || constraints.limits_latency(); }
  bool follows_additive() const { return objective.needs_additive() || constraints.limits_additive(); }
};

/// No mapping has a lower additive cost; for eq14 that of memories filled to the brim, or with whole
/// operands.
Cost additive_floor(const CimProblem& problem);

/// A problem with full prime factors and nothing fixed.
CimProblem make_problem(const LayerShape& layer, const Architecture& machine, const CimObjective& objective);

}  // namespace nestor::cim
