#include "mapper/cim/setup.h"

namespace nestor::mapper {

cim::CimProblem problem_of(const LayerShape& layer, const Architecture& machine, const CimRequest& request) {
  auto problem = cim::make_problem(layer, machine, request.objective);
  problem.constraints = request.constraints;
  request.choose_factors(problem);
  return problem;
}

}  // namespace nestor::mapper
