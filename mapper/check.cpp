#include "mapper/check.h"

#include "model/cim/legality.h"
#include "model/cim/space/honours.h"

namespace nestor::mapper {

Fault check(const cim::Problem& problem, const Mapping& mapping, MappedLayer& mapped) {
  mapped.shape = problem.layer;
  mapped.mapping = mapping;
  if (cim::find_violation(problem.layer, problem.machine, mapping)) return Fault::illegal_mapping;
  if (!cim::honours(problem.constraints, problem.machine, mapping)) return Fault::broken_constraint;
  mapped.evaluation = cim::evaluate(problem.layer, problem.machine, mapping);
  mapped.objective = cim::objective_value(problem.objective, mapped.evaluation, problem.machine);
  return Fault::none;
}

}  // namespace nestor::mapper
