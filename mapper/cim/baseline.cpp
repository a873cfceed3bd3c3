#include "mapper/cim/baseline.h"

#include "heuristics/cim/baselines/sampled.h"
#include "heuristics/cim/baselines/stationary.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"

namespace nestor::mapper {
namespace {

std::optional<baselines::Placed> sample(const LayerShape& layer, const Architecture& machine,
                                        const CimRequest& request) {
  const auto begin = Resources::Clock::now();
  const auto problem = cim::make_problem(layer, machine, request.objective);
  baselines::SampleBudget budget{.seed = request.seed};
  if (request.samples > 0) budget.evaluations = static_cast<int>(request.samples);
  return baselines::sampled(
      layer, machine, request.objective.latency_model, budget,
      [&](const Mapping& mapping) {
        return cim::objective_value(problem.objective, cim::evaluate(layer, machine, mapping), machine);
      },
      [&] { return seconds_since(begin) >= request.layer_seconds; });
}

std::optional<baselines::Placed> place(const LayerShape& layer, const Architecture& machine,
                                       const CimRequest& request) {
  const auto model = request.objective.latency_model;
  switch (request.method) {
    case MapMethod::weight_stationary:
      return baselines::stationary(layer, machine, Operand::W, model);
    case MapMethod::output_stationary:
      return baselines::stationary(layer, machine, Operand::O, model);
    case MapMethod::input_stationary:
      return baselines::stationary(layer, machine, Operand::I, model);
    case MapMethod::sampled:
      return sample(layer, machine, request);
    case MapMethod::optimal:
    case MapMethod::row_stationary:  // of other spaces
      break;
  }
  return std::nullopt;
}

}  // namespace

CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request) {
  const auto begin = Resources::Clock::now();
  CimLayerMap map;
  map.heuristic = true;
  if (const auto placed = place(layer, machine, request))
    map.fault =
        check(cim::make_problem(layer, machine, request.objective), placed->mapping, map.best.emplace_back());
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
