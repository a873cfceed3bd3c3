#include "mapper/cim/check.h"

#include "model/loopnest/rules/honours.h"
#include "model/loopnest/rules/legality.h"

namespace nestor::mapper {

Fault check(const cim::CimProblem& problem, const Mapping& mapping, MappedCimLayer& mapped) {
  mapped.shape = problem.layer;
  mapped.mapping = mapping;
  if (find_violation(problem.layer, problem.machine, mapping)) return Fault::illegal_mapping;
  if (!honours(problem.constraints, problem.layer, problem.machine, mapping)) return Fault::broken_constraint;
  mapped.evaluation = cim::evaluate(problem.layer, problem.machine, mapping);
  mapped.objective = cim::objective_value(problem.objective, mapped.evaluation, problem.machine);
  return Fault::none;
}

}  // namespace nestor::mapper
