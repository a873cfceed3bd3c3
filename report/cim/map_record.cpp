#include "report/cim/map_record.h"

#include "report/cim/explanation.h"
#include "report/layer_findings.h"

namespace nestor::report {

io::LayerResult map_record(const Layer& layer, const mapper::CimLayerMap& map,
                           const NamedArchitecture& architecture, cim::LatencyModel model) {
  io::LayerResult record;
  record.layer = layer;
  set_findings(record, map, [&](const mapper::MappedCimLayer& mapped) {
    return point_of(mapped, layer.shape.bounds, architecture.machine, model);
  });
  record.gap = map.gap();
  if (!map.best.empty()) {
    const auto& best = map.best.front();
    io::set_figures(record, best.evaluation, architecture, model);
    io::set_spent_cycles(record, cim::spent_cycles(best.shape, architecture.machine, best.mapping, model),
                         architecture);
  }
  return record;
}

}  // namespace nestor::report
