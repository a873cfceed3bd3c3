#include "report/simd/schedule_run.h"

#include <fmt/format.h>

#include <map>

#include "model/simd/occupancy.h"
#include "report/run_record.h"
#include "report/tables/table.h"

namespace nestor::report {
namespace {

constexpr std::size_t occupancy_samples = 200;

io::Json netlist_json(const simd::Netlist& netlist, const simd::MapReport& mapping, const std::string& path) {
  const auto input = describe_input("netlist", path, path);
  return {{"name", netlist.name},
          {"digest", input.digest},
          {"inputs", netlist.input_names.size()},
          {"outputs", netlist.outputs.size()},
          {"nodes_before_mapping", mapping.gates_before},
          {"restructured", mapping.restructured},
          {"nodes", netlist.gates.size()}};
}

io::Json options_json(const io::RunOptions& options) {
  io::Json json = io::Json::object();
  for (const auto& [name, value] : given_options(options, io::Verb::schedule)) json[name] = value;
  return json;
}

io::Json copies_json(const simd::Schedule& schedule) {
  std::uint64_t fanins = 0, evictions = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
  for (const auto& instruction : schedule.instructions) {
    if (!instruction.is_copy()) continue;
    (instruction.cause == simd::CopyCause::eviction ? evictions : fanins) += 1;
    ++pairs[{instruction.from.array, instruction.to.array}];
  }
  auto by_pair = io::Json::array();
  for (const auto& [pair, count] : pairs)
    by_pair.push_back({{"from", pair.first}, {"to", pair.second}, {"copies", count}});
  return {{"fanin", fanins}, {"eviction", evictions}, {"by_pair", std::move(by_pair)}};
}

io::Json occupancy_json(const simd::Schedule& schedule) {
  auto occupancy = simd::occupancy(schedule, occupancy_samples);
  auto arrays = io::Json::array();
  for (std::size_t array = 0; array < occupancy.rows.size(); ++array)
    arrays.push_back({{"array", array}, {"rows", std::move(occupancy.rows[array])}});
  return {{"after_instructions", std::move(occupancy.after)}, {"arrays", std::move(arrays)}};
}

io::Json milestones_json(const simd::ScheduleResult& result) {
  auto json = io::Json::array();
  for (const auto& milestone : result.milestones)
    json.push_back({{"seconds", milestone.seconds}, {"work", milestone.work}, {"copies", milestone.copies}});
  return json;
}

io::Json search_json(const simd::ScheduleResult& result) {
  io::Json json = {{"seconds", result.seconds}, {"work", result.work}};
  if (result.planned_work != 0) json["planned_work"] = result.planned_work;
  json["constructions"] = result.trials;
  json["passes"] = result.passes;
  if (result.labels.generated != 0)
    json["labels"] = {{"expanded", result.labels.expanded},
                      {"generated", result.labels.generated},
                      {"cut", result.labels.cut},
                      {"dominated", result.labels.dominated}};
  return json;
}

}  // namespace

std::string_view status_text(const simd::ScheduleResult& result) {
  if (result.status == Status::optimal) return to_string(result.status);
  return result.completed ? "completed" : result.effort_spent ? "effort_spent" : to_string(result.status);
}

io::Json schedule_json(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures, energy] = run;
  return {{"schema", schedule_schema},
          {"version", NESTOR_VERSION},
          {"verb", "schedule"},
          {"netlist", netlist_json(netlist, mapping, options.inputs.front())},
          {"options", options_json(options)},
          {"objective", simd::to_string(options.schedule_objective)},
          {"recompute", options.recompute},
          {"method", simd::to_string(options.method)},
          {"rows", options.rows},
          {"array_limit", options.arrays},
          {"status", status_text(result)},
          {"copies", figures.copies},
          {"computes", figures.computes},
          {"energy", figures.energy(energy.per_compute, energy.per_copy)},
          {"lower_bound", {{"copies", result.bound.copies}, {"argument", result.bound.argument}}},
          {"arrays_used", figures.arrays_used},
          {"rows_used", figures.rows_used},
          {"copies_by_cause", copies_json(result.schedule)},
          {"convergence", milestones_json(result)},
          {"occupancy", occupancy_json(result.schedule)},
          {"search", search_json(result)},
          {"verified", {{"patterns", figures.patterns}, {"exhaustive", figures.exhaustive}}}};
}

std::string schedule_text(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures, energy] = run;
  io::Table table({{"netlist", io::Align::left},
                   {"nodes"},
                   {"rows"},
                   {"method", io::Align::left},
                   {"status", io::Align::left},
                   {"copies"},
                   {"bound"},
                   {"arrays"},
                   {"energy"},
                   {"seconds"}});
  table.add_row({netlist.name, fmt::format("{}", figures.nodes), fmt::format("{}", options.rows),
                 simd::to_string(options.method), std::string(status_text(result)),
                 fmt::format("{}", figures.copies), fmt::format("{}", result.bound.copies),
                 fmt::format("{}", figures.arrays_used),
                 fmt::format("{:.2f}", figures.energy(energy.per_compute, energy.per_copy)),
                 fmt::format("{:.1f}", result.seconds)});
  auto text = table.to_string();
  if (mapping.restructured)
    text += fmt::format("mapped from {} to {} nodes\n", mapping.gates_before, mapping.gates_after);
  text += fmt::format("bound: {}\n", result.bound.argument);
  if (!result.completed && (result.status == Status::time_limit || result.status == Status::interrupted)) {
    const auto plan =
        result.planned_work == 0 ? std::string() : fmt::format(" --planned-work {}", result.planned_work);
    text += fmt::format("the same schedule again, given the time: --work-limit {}{}\n", result.work, plan);
  }
  return text;
}

}  // namespace nestor::report
