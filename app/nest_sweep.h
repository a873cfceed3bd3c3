// Sweeps in the loop-nest spaces: reading a machine, and solving one point. `Space` is a traits type
// (app/cim/nests.h, app/pim/nests.h).
#pragma once

#include "app/map_task.h"
#include "app/sweep_space.h"
#include "io/layer_file.h"
#include "io/part_costs.h"
#include "mapper/loopnest/fault.h"
#include "report/results/violation_text.h"

namespace nestor::app {

template <typename Space>
io::Result<io::Json> sweep_machine(const std::string& arch, std::span<const std::string> settings) {
  const auto machine = Space::read_machine(arch, settings);
  if (!machine) return machine.error();
  return Space::machine_to_json(*machine);
}

template <typename Space>
io::PointResult solve_point(const io::Node& inputs, const io::RunOptions& options,
                            const mapper::Resources& resources) {
  const auto failed = [](std::string error) {
    io::PointResult found;
    found.error = std::move(error);
    return found;
  };
  io::Reading reading;
  typename Space::Run run;
  Space::set_latency_model(run, options);
  run.machine = Space::read_machine_node(*inputs.find(point_machine), reading);
  const auto layer = io::read_layer_node(*inputs.find(point_layer), "layer", {}, reading);
  if (reading.failed()) return failed(reading.error().to_string());
  const auto& machine = run.machine.machine;
  if (const auto refusal = Space::admit(layer.shape, machine); refusal != Refusal::none)
    return failed(io::refusal_text(refusal));
  const auto request = Space::request_of(options, run.machine);
  if (!request) return failed(request.error().to_string());
  auto map = map_layer(layer.shape, machine, *request, resources);
  if (map.fault != mapper::Fault::none)
    return failed("the search and the evaluator disagree; please report this");
  io::PointResult found;
  found.seconds = map.search.seconds;
  map.search.forget_times();
  auto& record = run.layers.emplace_back();
  record.layer = layer;
  Space::set_result(run, record, map);
  found.status = map.heuristic ? "heuristic" : to_string(map.status);
  found.objective = record.best.objective;
  found.lower_bound = record.lower_bound;
  if (const auto cost = cost_of(record.best, run.machine)) {
    found.latency = static_cast<double>(cost->cycles);
    found.energy = cost->energy_pj;
  }
  found.area = io::total_area(machine, run.machine);
  found.result = Space::run_to_json(run)[key::layers][0].dump();
  return found;
}

template <typename Space>
constexpr SweepSpace sweep_of_nests() {
  return {sweep_machine<Space>, solve_point<Space>};
}

}  // namespace nestor::app
