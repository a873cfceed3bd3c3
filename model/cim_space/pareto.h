// The whole latency-energy front of a layer, exactly, by single-objective proofs: the least latency; the
// least energy at that latency; the least latency at less energy than that; and so on until no mapping is
// left. Every point is proved, and nothing lies between two neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
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

/// The problem whose steps a front consists of: both parts of the cost are followed from the first step on.
inline Problem front_problem(Problem problem) {
  problem.objective.kind = ObjectiveKind::latency;
  problem.objective.leakage = 0;
  problem.constraints.max_additive =
      std::min(problem.constraints.max_additive, std::numeric_limits<double>::max());
  return problem;
}

/// `solve(objective, constraints, known)` returns a proved optimal mapping, or nothing if there is none;
/// `known`, if any, points to what keeps the constraints at an objective of `known->energy`. `stopped()`
/// tells whether the last answer was cut short by a limit. Energies closer than 1e-9, relatively, count as
/// equal. `problem` is a front_problem.
template <typename Solve, typename Stopped>
Front pareto_front(const Problem& problem, Solve solve, Stopped stopped) {
  constexpr double tolerance = 1e-9;
  const Objective by_latency = problem.objective;
  Objective by_energy = problem.objective;
  by_energy.kind = ObjectiveKind::energy;
  const auto point_of = [&](const Mapping& mapping) -> FrontPoint {
    const Evaluation evaluation = evaluate(problem.layer, problem.machine, mapping);
    return {mapping, evaluation.cycles(by_latency.latency_model), evaluation.energy_pj};
  };
  // Leakage charges slow points more: what it makes as dear as a faster one is no choice.
  const auto total = [&](const FrontPoint& point) {
    return point.energy + problem.machine.leakage * static_cast<double>(point.latency);
  };
  Front front;
  Constraints cheaper = problem.constraints;  // than the last point
  Constraints as_fast = problem.constraints;  // as the fastest of those
  for (;;) {
    const std::optional<Mapping> fastest = solve(by_latency, cheaper, nullptr);
    if (stopped()) return front;
    if (!fastest) break;
    const FrontPoint known = point_of(*fastest);
    as_fast.max_latency = known.latency;
    const std::optional<Mapping> thriftiest = solve(by_energy, as_fast, &known);
    if (stopped() || !thriftiest) return front;
    const FrontPoint point = point_of(*thriftiest);
    if (front.points.empty() || total(point) < total(front.points.back()) * (1 - tolerance))
      front.points.push_back(point);
    if (point.energy <= 0) break;  // nothing is cheaper than free
    cheaper.max_additive =
        std::min(point.energy - std::abs(point.energy) * tolerance, std::nextafter(point.energy, 0.0));
  }
  front.complete = true;
  return front;
}

}  // namespace nestor::cim
