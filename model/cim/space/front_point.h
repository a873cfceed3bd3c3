// A mapping as a point of the latency-energy front.
#pragma once

#include "model/cim/search/problem.h"
#include "model/loopnest/space/front.h"

namespace nestor::cim {

using FrontPoint = nestor::FrontPoint<Mapping>;

inline FrontPoint front_point(const Problem& problem, const Mapping& mapping) {
  const Evaluation evaluation = evaluate(problem.layer, problem.machine, mapping);
  return {mapping, evaluation.cycles(problem.objective.latency_model), evaluation.energy_pj};
}

}  // namespace nestor::cim
