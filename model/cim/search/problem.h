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

/// No mapping takes fewer cycles: every operand moves out of or into its home once at least. Never falls when
/// a bound grows.
Int transfer_floor(const CimProblem& problem);

/// No mapping costs less; known without any memory. From the steps that the axes leave at least, and
/// transfer_floor().
Cost cost_floor(const CimProblem& problem);

/// The energy that every mapping pays with these `steps`, docs/models/cim.md (7.5) and the products of (7.6):
/// `inputs` and `outputs` are the elements that all instances of the innermost memories access in a step.
Cost base_energy(const CimProblem& problem, Int steps, Int inputs, Int outputs);

/// Tiles of one size at one end of a transfer: bits, and pJ per bit over all lanes.
struct TransferEnd {
  Cost bits = 0;
  Cost read = 0;
  Cost write = 0;
};
/// docs/models/cim.md (7.3) and (7.4), of so many transfers outward and inward.
inline Cost transfer_energy(Int outward, Int inward, const TransferEnd& source, const TransferEnd& target) {
  const Cost in = static_cast<Cost>(inward) * (source.bits * source.read + target.bits * target.write);
  if (outward == 0) return in;
  return in + static_cast<Cost>(outward) * (target.bits * target.read + source.bits * source.write);
}

/// A problem with full prime factors and nothing fixed.
CimProblem make_problem(const LayerShape& layer, const Architecture& machine, const CimObjective& objective);

}  // namespace nestor::cim
