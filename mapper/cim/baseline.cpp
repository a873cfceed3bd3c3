#include "mapper/cim/baseline.h"

#include "heuristics/cim/baselines/sampled.h"
#include "heuristics/cim/baselines/stationary.h"
#include "mapper/cim/check.h"
#include "mapper/cim/setup.h"

namespace nestor::mapper {
namespace {

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
      return baselines::sampled(layer, machine, model, {.seed = request.seed});
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
