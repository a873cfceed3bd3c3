#include "mapper/cim/check.h"

#include "model/loopnest/rules/legality.h"
#include "model/loopnest/rules/satisfies_constraints.h"
#include "solver/search/tolerance.h"

namespace nestor::mapper {

Fault check(const cim::CimProblem& problem, const Mapping& mapping, MappedCimLayer& mapped) {
  mapped.shape = problem.layer;
  mapped.mapping = mapping;
  if (find_violation(problem.layer, problem.machine, mapping)) return Fault::illegal_mapping;
  if (!satisfies_constraints(problem.constraints, problem.layer, problem.machine, mapping))
    return Fault::broken_constraint;
  mapped.evaluation = cim::evaluate(problem.layer, problem.machine, mapping);
  mapped.objective = cim::objective_value(problem.objective, mapped.evaluation, problem.machine);
  return Fault::none;
}

Fault check_found(const cim::CimProblem& problem, const Mapping& mapping, Cost claimed,
                  MappedCimLayer& mapped) {
  if (const Fault fault = check(problem, mapping, mapped); fault != Fault::none) return fault;
  // In eq14, latency and sizes may cancel; the remainder has the rounding errors of the larger terms.
  const auto& objective = problem.objective;
  const Cost largest =
      objective.kind == cim::ObjectiveKind::eq14
          ? objective.latency_weight * static_cast<Cost>(mapped.evaluation.cycles(objective.latency_model))
          : 0;
  return costs_agree(claimed, mapped.objective, largest) ? Fault::none : Fault::wrong_cost;
}

}  // namespace nestor::mapper
