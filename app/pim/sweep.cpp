// Steps of sweeps that are specific to the pim space: reading a machine, and solving one point.
#include "app/pim/map_request.h"
#include "app/pim/pim.h"
#include "app/sweep_space.h"
#include "io/layer_file.h"
#include "io/part_costs.h"
#include "io/pim/machine_file.h"
#include "mapper/pim/map_layer.h"
#include "model/pim/search/admission.h"
#include "report/pim/mapped_record.h"
#include "report/results/violation_text.h"

namespace nestor::app::pim_space {
namespace {

io::Result<io::Json> machine(const std::string& arch, std::span<const std::string> settings) {
  const auto read = io::pim::read_machine(arch, settings);
  if (!read) return read.error();
  return io::pim::machine_to_json(*read);
}

io::PointResult failed(const std::string& error) {
  io::PointResult found;
  found.error = error;
  return found;
}

io::PointResult solve(const io::Node& inputs, const io::RunOptions& options,
                      const mapper::Resources& resources) {
  io::Reading reading;
  io::pim::RunRecord run;
  run.machine = io::pim::read_machine_node(*inputs.find(point_machine), reading);
  const auto layer = io::read_layer_node(*inputs.find(point_layer), "layer", {}, reading);
  if (reading.failed()) return failed(reading.error().to_string());
  const auto& machine = run.machine.machine;
  if (const auto refusal = nestor::pim::admit(layer.shape, machine); refusal != Refusal::none)
    return failed(io::refusal_text(refusal));
  const auto request = request_of(options, run.machine);
  if (!request) return failed(request.error().to_string());
  auto map = mapper::pim::map_layer(layer.shape, machine, *request, resources);
  if (map.fault != mapper::Fault::none)
    return failed("the search and the evaluator disagree; please report this");
  io::PointResult found;
  found.seconds = map.search.seconds;
  map.search.forget_times();
  auto& record = run.layers.emplace_back();
  record.layer = layer;
  report::set_result(record, map);
  found.status = map.heuristic ? "heuristic" : to_string(map.status);
  found.objective = record.best.objective;
  found.lower_bound = record.lower_bound;
  if (const auto& evaluation = record.best.evaluation) {
    found.latency = static_cast<double>(evaluation->latency_cycles);
    found.energy = evaluation->total_energy_pj(machine);
  }
  found.area = io::total_area(machine, run.machine);
  found.result = io::pim::run_to_json(run)[key::layers][0].dump();
  return found;
}

}  // namespace

const SweepSpace sweep = {machine, solve};

}  // namespace nestor::app::pim_space
