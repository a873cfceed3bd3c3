#include "report/cim/map_record.h"

#include "report/layer_findings.h"

namespace nestor::report {
namespace {

io::CimPoint point_on(const Architecture& machine, const mapper::MappedCimLayer& mapped, const Layer& layer,
                      cim::LatencyModel model) {
  io::CimPoint point;
  static_cast<io::MappedBounds&>(point) = io::MappedBounds::of(mapped.shape, layer.shape.bounds);
  point.objective = mapped.objective;
  io::set_cost(point, mapped.evaluation, machine, model);
  point.mapping = mapped.mapping;
  return point;
}

}  // namespace

io::CimPoint point_of(const mapper::MappedCimLayer& mapped, const Layer& layer, const io::CimRun& run) {
  return point_on(run.machine.machine, mapped, layer, io::latency_model_of(run));
}

void set_result(const io::CimRun& run, io::CimRecord& record, const mapper::CimLayerMap& map) {
  set_findings(record, map,
               [&](const mapper::MappedCimLayer& mapped) { return point_of(mapped, record.layer, run); });
  if (map.best.empty()) return;
  const auto model = io::latency_model_of(run);
  const auto& best = map.best.front();
  io::set_figures(record, best.evaluation, run.machine, model);
  io::set_spent_cycles(record, cim::spent_cycles(best.shape, run.machine.machine, best.mapping, model),
                       run.machine);
}

void explain(const io::CimRun& run, io::CimRecord& record,
             const std::vector<mapper::LayerResource>& reports) {
  set_resources(record, reports, run.machine, [&](const Resource& resource, const mapper::Change& change) {
    Architecture machine = run.machine.machine;
    amount_of(resource, machine) = change.amount;
    auto point = point_on(machine, change.best, record.layer, io::latency_model_of(run));
    if (change.gain == 0) {  // the mapping is the layer's own
      point.mapping.reset();
      point.padded.reset();
    }
    return point;
  });
}

}  // namespace nestor::report
