#include "report/pim/map_record.h"

#include "report/layer_findings.h"

namespace nestor::report {

io::pim::PimPoint point_of(const mapper::pim::MappedPimLayer& mapped, const Layer& layer,
                           const io::pim::PimRun& /*run*/) {
  return {io::MappedBounds::of(mapped.shape, layer.shape.bounds), mapped.objective, mapped.mapping,
          mapped.evaluation};
}

void set_result(const io::pim::PimRun& run, io::pim::PimRecord& record, const mapper::pim::PimLayerMap& map) {
  set_findings(record, map, [&](const auto& mapped) { return point_of(mapped, record.layer, run); });
  if (map.front.empty()) return;
  record.best.objective.reset();
  record.lower_bound.reset();
}

void explain(const io::pim::PimRun& run, io::pim::PimRecord& record,
             const std::vector<mapper::pim::LayerResource>& reports) {
  set_resources(record, reports, run.machine, [&](const Resource&, const mapper::pim::Change& change) {
    auto point = point_of(change.best, record.layer, run);
    if (change.gain == 0) {  // the mapping is the layer's own
      point.mapping.reset();
      point.evaluation.reset();
    }
    return point;
  });
}

}  // namespace nestor::report
