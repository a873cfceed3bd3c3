#include "mapper/cim/setup.h"

#include <algorithm>

namespace nestor::mapper {

using Clock = Resources::Clock;

cim::Problem problem_of(const LayerShape& layer, const Architecture& machine, const Request& request) {
  auto problem = cim::make_problem(layer, machine, request.objective);
  problem.constraints = request.constraints;
  if (request.flexible)
    for (std::size_t d = 0; d < dim_count; ++d)
      problem.factors[d] = flexible_factors(layer.bounds[d], *request.flexible);
  return problem;
}

bool asks_the_impossible(const Constraints& constraints, const Architecture& machine) {
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (constraints.must_use[m].contains(operand) && constraints.must_not_use[m].contains(operand))
        return true;
  for (const Operand operand : all_operands)
    for (const std::size_t m : {machine.home(operand), machine.innermost(operand)})
      if (constraints.must_not_use[m].contains(operand)) return true;
  return false;
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace nestor::mapper
