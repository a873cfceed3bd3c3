// Latency and energy (without leakage) of a mapping of the cim space, as a point of the latency-energy front.
#pragma once

#include "model/cim/search/problem.h"
#include "model/loopnest/space/front.h"

namespace nestor::cim {

inline FrontPoint<Mapping> front_point(const CimProblem& problem, const Mapping& mapping) {
  const CimEvaluation evaluation = evaluate(problem.layer, problem.machine, mapping);
  return {mapping, evaluation.cycles(problem.objective.latency_model), evaluation.energy_pj};
}

}  // namespace nestor::cim
