#include "mapper/cim/baseline.h"

#include "heuristics/cim/baselines/ordered.h"
#include "heuristics/cim/baselines/sampled.h"
#include "heuristics/cim/baselines/stationary.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"

namespace nestor::mapper {
namespace {

std::optional<baselines::Placed> place(const LayerShape& layer, const Architecture& machine,
                                       const CimRequest& request, const StopSignal& stop) {
  const auto model = request.objective.latency_model;
  const auto objective = cim::make_problem(layer, machine, request.objective).objective;
  switch (request.method) {
    case MapMethod::weight_stationary_greedy:
      return baselines::stationary(layer, machine, Operand::W, model, &stop);
    case MapMethod::output_stationary_greedy:
      return baselines::stationary(layer, machine, Operand::O, model, &stop);
    case MapMethod::input_stationary_greedy:
      return baselines::stationary(layer, machine, Operand::I, model, &stop);
    case MapMethod::sampled:
      return baselines::sampled(layer, machine,
                                [&](const cim::CimEvaluation& evaluation) {
                                  return objective_value(objective, evaluation, machine);
                                },
                                {.seed = request.seed, .evaluations = request.samples, .stop = &stop});
    case MapMethod::zigzag_like:
      return baselines::best_order(layer, machine,
                                   [&](const cim::CimEvaluation& evaluation) {
                                     return objective_value(objective, evaluation, machine);
                                   },
                                   {.stop = &stop});
    default:  // searches, and baselines of other spaces
      break;
  }
  return std::nullopt;
}

}  // namespace

CimLayerMap map_by_baseline(const LayerShape& layer, const Architecture& machine, const CimRequest& request,
                            const Resources& resources) {
  const auto begin = Resources::Clock::now();
  StopSource stop(resources.deadline_of_layer(request.layer_seconds, begin));
  stop.watch(resources.interrupted);
  CimLayerMap map;
  map.heuristic = true;
  if (const auto placed = place(layer, machine, request, stop))
    map.fault =
        check(cim::make_problem(layer, machine, request.objective), placed->mapping, map.best.emplace_back());
  map.search.seconds = seconds_since(begin);
  return map;
}

}  // namespace nestor::mapper
