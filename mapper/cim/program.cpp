#include "mapper/cim/program.h"

#include "heuristics/cim/greedy_nest.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"

namespace nestor::mapper {

std::unique_ptr<CimProgram> program_of(const LayerShape& layer, const Architecture& machine,
                                       const CimRequest& request, const Resources& resources, bool prove) {
  auto made = std::make_unique<CimProgram>();
  made->problem = problem_of(layer, machine, request);
  if (prove) {
    auto map = map_layer(layer, machine, request, resources);
    made->is_proved = map.status == Status::optimal && !map.best.empty();
    made->bound = map.bound.value_or(no_bound);
    made->seconds = map.search.seconds;
    if (!map.best.empty()) made->best = map.best.front();
  } else if (const auto greedy = cim::greedy_nest(made->problem, request.seed)) {
    MappedCimLayer mapped;
    if (check(made->problem, greedy->mapping, mapped) == Fault::none) made->best = mapped;
  }
  const Mapping* const known = made->best ? &made->best->mapping : nullptr;
  const auto cost = made->best ? std::optional(made->best->objective) : std::nullopt;
  made->program = std::make_unique<cim::MiredoProgram>(made->problem, known, cost);
  return made;
}

std::unique_ptr<CimProgram> program_again(const cim::CimProblem& problem, std::optional<double> best) {
  auto made = std::make_unique<CimProgram>();
  made->problem = problem;
  made->program = std::make_unique<cim::MiredoProgram>(made->problem, nullptr, best);
  return made;
}

}  // namespace nestor::mapper
