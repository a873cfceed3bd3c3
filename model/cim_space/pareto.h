// The whole latency-energy front of a layer, exactly, by single-objective proofs: the least latency; the
// least energy at that latency; the least latency at less energy than that; and so on until no mapping is
// left. Every point is proved, and nothing lies between two neighbours.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "model/cim/evaluate.h"
#include "model/cim/space/problem.h"

namespace nestor::cim {

struct FrontPoint {
  Mapping mapping;
  Int latency = 0;    ///< cycles under the model in force
  double energy = 0;  ///< pJ, without leakage
};

struct Front {
  std::vector<FrontPoint> points;  ///< ascending latency, descending energy
  bool complete = false;           ///< false: a limit ended it; the points found are proved all the same
};

/// `solve(problem)` returns a proved optimal mapping, or nothing if there is none; `stopped()` tells whether
/// the last answer was cut short by a limit. Energies closer than 1e-9, relatively, count as equal.
template <typename Solve, typename Stopped>
Front pareto_front(Problem problem, Solve solve, Stopped stopped) {
  constexpr double tolerance = 1e-9;
  Front front;
  Problem by_latency = problem;
  by_latency.objective.kind = ObjectiveKind::latency;
  Problem by_energy = std::move(problem);
  by_energy.objective.kind = ObjectiveKind::energy;
  by_energy.objective.leakage = 0;
  const LatencyModel model = by_latency.objective.latency_model;
  for (;;) {
    const std::optional<Mapping> fastest = solve(by_latency);
    if (stopped()) return front;
    if (!fastest) break;
    by_energy.constraints.max_latency =
        evaluate(by_latency.layer, by_latency.machine, *fastest).cycles(model);
    const std::optional<Mapping> thriftiest = solve(by_energy);
    if (stopped() || !thriftiest) return front;
    const Evaluation evaluation = evaluate(by_energy.layer, by_energy.machine, *thriftiest);
    front.points.push_back({*thriftiest, evaluation.cycles(model), evaluation.energy_pj});
    by_latency.constraints.max_additive = evaluation.energy_pj - std::abs(evaluation.energy_pj) * tolerance;
  }
  front.complete = true;
  return front;
}

}  // namespace nestor::cim
