#include "mapper/pim/program.h"

#include "model/loopnest/rules/satisfies_constraints.h"
#include "model/pim/legality.h"

namespace nestor::mapper::pim {

std::optional<MappedPimLayer> mapped(const nestor::pim::PimProblem& problem, const Mapping& nest) {
  MappedPimLayer point{.shape = problem.layer, .mapping = {.nest = nest}, .evaluation = {}};
  if (nestor::pim::find_violation(problem.layer, problem.machine, point.mapping)) return std::nullopt;
  if (!satisfies_constraints(problem.constraints, problem.layer, problem.machine, nest)) return std::nullopt;
  nestor::pim::RowCounter rows;
  nestor::pim::choose_layouts(problem, point.mapping, rows);
  point.evaluation = nestor::pim::evaluate(problem.layer, problem.machine, point.mapping, rows);
  point.objective = nestor::pim::objective_value(problem.objective, point.evaluation);
  return point;
}

std::unique_ptr<PimLayerProgram> program_of(const LayerShape& layer, const nestor::pim::PimMachine& machine,
                                            const PimRequest& request, const Resources& resources,
                                            bool prove) {
  auto made = std::make_unique<PimLayerProgram>();
  made->problem = problem_of(layer, machine, request);
  // Without a proof, the search stops after its initial mappings.
  PimRequest first = request;
  if (!prove) first.work_limit = 1;
  auto map = map_problem(made->problem, first, resources);
  if (!map.best.empty()) made->best = mapped(made->problem, map.best.front().mapping.nest);
  if (prove) {
    made->is_proved = map.status == Status::optimal && made->best;
    made->bound = map.bound.value_or(no_bound);
    made->seconds = map.search.seconds;
  }
  const auto* const known = made->best ? &made->best->mapping : nullptr;
  const auto cost = made->best ? std::optional(made->best->objective) : std::nullopt;
  made->program = std::make_unique<nestor::pim::PimProgram>(made->problem, known, cost);
  return made;
}

std::unique_ptr<PimLayerProgram> program_again(const nestor::pim::PimProblem& problem,
                                               std::optional<double> best) {
  auto made = std::make_unique<PimLayerProgram>();
  made->problem = problem;
  made->program = std::make_unique<nestor::pim::PimProgram>(made->problem, nullptr, best);
  return made;
}

}  // namespace nestor::mapper::pim
