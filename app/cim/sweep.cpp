// Steps of sweeps that are specific to the cim space: reading a machine, and solving one point.
#include "app/cim/cim.h"
#include "app/cim/map_request.h"
#include "app/sweep_space.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "io/part_costs.h"
#include "mapper/cim/map_layer.h"
#include "model/cim/search/admission.h"
#include "report/cim/map_record.h"
#include "report/results/violation_text.h"

namespace nestor::app::cim_space {
namespace {

io::Result<io::Json> machine(const std::string& arch, std::span<const std::string> settings) {
  const auto architecture = io::read_architecture(arch, settings);
  if (!architecture) return architecture.error();
  return io::architecture_to_json(*architecture);
}

io::PointResult solve(const io::Node& inputs, const io::RunOptions& options,
                      const mapper::Resources& resources) {
  io::PointResult found;
  io::Reading reading;
  io::RunResult run;
  run.architecture = io::read_architecture_node(*inputs.find(point_machine), reading);
  const auto layer = io::read_layer_node(*inputs.find(point_layer), "layer", {}, reading);
  if (reading.failed()) {
    found.error = reading.error().to_string();
    return found;
  }
  const auto refusal = cim::admit(layer.shape, run.architecture.machine);
  if (refusal != Refusal::none) {
    found.error = io::refusal_text(refusal);
    return found;
  }
  auto map = mapper::map_layer(layer.shape, run.architecture.machine, request_of(options), resources);
  if (map.fault != mapper::Fault::none) {
    found.error = "the search and the evaluator disagree; please report this";
    return found;
  }
  found.seconds = map.search.seconds;
  map.search.forget_times();
  run.layers.push_back(report::map_record(layer, map, run.architecture, options.latency_model));
  const auto& record = run.layers.front();
  found.status = map.heuristic ? "heuristic" : to_string(map.status);
  found.objective = record.best.objective;
  found.lower_bound = record.lower_bound;
  if (record.best.latency_cycles) found.latency = static_cast<double>(*record.best.latency_cycles);
  found.energy = record.best.energy_pj;
  found.area = io::total_area(run.architecture.machine, run.architecture);
  found.result = io::result_to_json(run)[key::layers][0].dump();
  return found;
}

}  // namespace

const SweepSpace sweep = {machine, solve};

}  // namespace nestor::app::cim_space
