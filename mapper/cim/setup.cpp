#include "mapper/cim/setup.h"

namespace nestor::mapper {

cim::CimProblem problem_of(const LayerShape& layer, const Architecture& machine, const CimRequest& request) {
  auto problem = cim::make_problem(layer, machine, request.objective);
  problem.constraints = request.constraints;
  if (request.flexible)
    for (std::size_t d = 0; d < dim_count; ++d)
      problem.factors[d] = flexible_factors(layer.bounds[d], *request.flexible);
  return problem;
}

}  // namespace nestor::mapper
