#include "report/pim/mapped_record.h"

#include "report/layer_findings.h"

namespace nestor::report {
namespace {

io::pim::MappedPimPoint point_of(const mapper::pim::MappedPimLayer& mapped, const Extents& bounds) {
  return {io::MappedBounds::of(mapped.shape, bounds), mapped.objective, mapped.mapping, mapped.evaluation};
}

}  // namespace

void set_result(io::pim::LayerRecord& record, const mapper::pim::PimLayerMap& map) {
  set_findings(record, map, [&](const auto& mapped) { return point_of(mapped, record.layer.shape.bounds); });
  if (map.front.empty()) return;
  record.best.objective.reset();
  record.lower_bound.reset();
}

void explain(io::pim::LayerRecord& record, const std::vector<mapper::pim::LayerResource>& reports,
             const io::pim::NamedPimMachine& machine) {
  set_resources(record, reports, machine, [&](const Resource&, const mapper::pim::Change& change) {
    auto point = point_of(change.best, record.layer.shape.bounds);
    if (change.gain == 0) {  // the mapping is the layer's own
      point.mapping.reset();
      point.evaluation.reset();
    }
    return point;
  });
}

}  // namespace nestor::report
