#include "report/simd/schedule_run.h"

#include <fmt/format.h>

#include <map>

#include "model/simd/occupancy.h"
#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/run_record.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

constexpr std::size_t occupancy_samples = 200;

io::Json netlist_json(const simd::Netlist& netlist, const simd::MapReport& mapping, const std::string& path) {
  const auto input = describe_input("netlist", path, path);
  return {{key::name, netlist.name},
          {key::digest, input.digest},
          {key::inputs, netlist.input_names.size()},
          {"outputs", netlist.outputs.size()},
          {"nodes_before_mapping", mapping.gates_before},
          {"restructured", mapping.restructured},
          {key::nodes, netlist.gates.size()}};
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
    by_pair.push_back({{key::from, pair.first}, {key::to, pair.second}, {key::copies, count}});
  return {{"fanin", fanins}, {"eviction", evictions}, {"by_pair", std::move(by_pair)}};
}

io::Json occupancy_json(const simd::Schedule& schedule) {
  auto occupancy = simd::occupancy(schedule, occupancy_samples);
  auto arrays = io::Json::array();
  for (std::size_t array = 0; array < occupancy.rows.size(); ++array)
    arrays.push_back({{"array", array}, {key::rows, std::move(occupancy.rows[array])}});
  return {{"after_instructions", std::move(occupancy.after)}, {"arrays", std::move(arrays)}};
}

io::Json milestones_json(const simd::ScheduleResult& result) {
  auto json = io::Json::array();
  for (const auto& milestone : result.milestones)
    json.push_back(
        {{key::seconds, milestone.seconds}, {key::work, milestone.work}, {key::copies, milestone.copies}});
  return json;
}

io::Json search_json(const simd::ScheduleResult& result) {
  io::Json json = {{key::seconds, result.seconds}, {key::work, result.work}};
  if (result.planned_work != 0) json["planned_work"] = result.planned_work;
  json["constructions"] = result.trials;
  json["passes"] = result.passes;
  if (result.labels.generated != 0)
    json[key::labels] = {{"expanded", result.labels.expanded},
                         {"generated", result.labels.generated},
                         {"cut", result.labels.cut},
                         {key::dominated, result.labels.dominated}};
  return json;
}

}  // namespace

std::string_view status_text(const simd::ScheduleResult& result) {
  if (result.status == Status::optimal) return to_string(result.status);
  return result.completed ? "completed" : result.effort_spent ? "effort_spent" : to_string(result.status);
}

std::string schedule_progress(const std::string& netlist, const EngineProgress& progress, double seconds) {
  return fmt::format("{}: best {:.0f} copies, {} work, {:.1f} s", netlist, progress.incumbent,
                     io::count_text(static_cast<Int>(progress.work)), seconds);
}

io::Json schedule_json(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures] = run;
  return {{key::schema, schedule_schema},
          {key::version, NESTOR_VERSION},
          {key::verb, "schedule"},
          {"netlist", netlist_json(netlist, mapping, options.inputs.front())},
          {key::options, options_json(options)},
          {key::objective, simd::to_string(options.schedule_objective)},
          {"recompute", options.recompute},
          {"method", simd::to_string(options.method)},
          {key::rows, options.rows},
          {"array_limit", options.arrays},
          {key::status, status_text(result)},
          {key::copies, figures.copies},
          {key::computes, figures.computes},
          {key::energy, figures.energy()},
          {key::lower_bound, {{key::copies, result.bound.copies}, {"argument", result.bound.argument}}},
          {key::arrays_used, figures.arrays_used},
          {key::rows_used, figures.rows_used},
          {"copies_by_cause", copies_json(result.schedule)},
          {"convergence", milestones_json(result)},
          {"occupancy", occupancy_json(result.schedule)},
          {key::search, search_json(result)},
          {"verified", {{key::patterns, figures.patterns}, {key::exhaustive, figures.exhaustive}}}};
}

std::string schedule_text(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures] = run;
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
                 std::string(simd::to_string(options.method)), std::string(status_text(result)),
                 fmt::format("{}", figures.copies), fmt::format("{}", result.bound.copies),
                 fmt::format("{}", figures.arrays_used), fmt::format("{:.2f}", figures.energy()),
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
