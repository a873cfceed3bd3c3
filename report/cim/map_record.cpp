#include "report/cim/map_record.h"

#include "report/cim/explanation.h"

namespace nestor::report {

io::LayerResult map_record(const Layer& layer, const mapper::LayerMap& map,
                           const NamedArchitecture& architecture, cim::LatencyModel model) {
  io::LayerResult record;
  record.layer = layer;
  if (!map.heuristic) record.status = map.status;
  record.lower_bound = map.bound;
  record.gap = map.gap();
  record.search = map.search;
  for (std::size_t i = 0; i < map.best.size(); ++i) {
    const auto point = point_of(map.best[i], layer.shape.bounds, architecture.machine, model);
    if (i == 0)
      record.best = point;
    else
      record.alternatives.push_back(point);
  }
  for (const auto& mapped : map.front) {
    record.front.push_back(point_of(mapped, layer.shape.bounds, architecture.machine, model));
    record.front.back().objective.reset();
  }
  if (!map.best.empty()) {
    const auto& best = map.best.front();
    io::set_figures(record, best.evaluation, architecture, model);
    io::set_spent_cycles(record, cim::spent_cycles(best.shape, architecture.machine, best.mapping, model),
                         architecture);
  }
  return record;
}

}  // namespace nestor::report
