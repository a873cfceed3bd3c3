// Search problem of the cim space: a machine and an objective, in addition to the parts common to all
// loop-nest problems.
#pragma once

#include "model/cim/search/objective.h"
#include "model/loopnest/search/front_problem.h"
#include "model/loopnest/search/nest_problem.h"

namespace nestor::cim {

using nestor::front_problem;

struct CimProblem : NestProblem {
  Architecture machine;
  CimObjective objective;

  /// True if a search must track this part of the cost, because the objective uses it or a constraint limits
  /// it.
  bool follows_latency() const { return objective.needs_latency() || constraints.limits_latency(); }
  bool follows_additive() const { return objective.needs_additive() || constraints.limits_additive(); }
};

/// Returns a lower bound on the additive cost. For energy, this is the energy of the multiply-accumulates.
/// For eq14, the bound assumes that every memory is full or stores all its operands completely.
Cost additive_floor(const CimProblem& problem);

/// Returns a lower bound on the cycles: every operand moves out of or into its home at least once. The result
/// never decreases when a loop bound grows.
Int transfer_floor(const CimProblem& problem);

/// Returns a lower bound on the cost, computed without tables from the least number of steps that the axes
/// allow, transfer_floor() and additive_floor().
Cost cost_floor(const CimProblem& problem);

/// Returns the energy that all mappings with these `steps` have in common: docs/models/cim.md, eq. (7.5) and
/// the multiply-accumulates of eq. (7.6). `inputs` and `outputs` are the numbers of elements that all
/// instances of the innermost memories access in a step.
Cost base_energy(const CimProblem& problem, Int steps, Int inputs, Int outputs);

/// Tiles at one end of a transfer: their bits, and pJ per bit over all lanes.
struct TransferEnd {
  Cost bits = 0;
  Cost read = 0;
  Cost write = 0;
};
/// Returns the energy of the given numbers of transfers: docs/models/cim.md, eqs. (7.3) and (7.4).
inline Cost transfer_energy(Int outward, Int inward, const TransferEnd& source, const TransferEnd& target) {
  const Cost in = static_cast<Cost>(inward) * (source.bits * source.read + target.bits * target.write);
  if (outward == 0) return in;
  return in + static_cast<Cost>(outward) * (target.bits * target.read + source.bits * source.write);
}

/// Returns a problem with all prime factors of the bounds and without constraints.
CimProblem make_problem(const LayerShape& layer, const Architecture& machine, const CimObjective& objective);

}  // namespace nestor::cim
