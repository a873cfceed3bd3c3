#include "report/simd/schedule_run.h"

#include <fmt/format.h>

#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/simd/schedule_file.h"
#include "report/run_record.h"
#include "report/simd/schedule_figures.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

io::Json copies_json(const simd::Schedule& schedule) {
  std::uint64_t fanins = 0, evictions = 0;
  for (const auto& instruction : schedule.instructions)
    if (instruction.is_copy()) (instruction.cause == simd::CopyCause::eviction ? evictions : fanins) += 1;
  return {{key::fanin, fanins}, {key::eviction, evictions}, {key::by_pair, copies_by_pair(schedule)}};
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
  if (result.planned_work != 0) json[key::planned_work] = result.planned_work;
  json[key::constructions] = result.trials;
  json[key::passes] = result.passes;
  if (result.labels.generated != 0)
    json[key::labels] = {{"expanded", result.labels.expanded},
                         {"generated", result.labels.generated},
                         {"cut", result.labels.cut},
                         {key::dominated, result.labels.dominated}};
  return json;
}

}  // namespace

std::string_view status_text(const simd::ScheduleResult& result) {
  const bool ended = result.status != Status::optimal && (result.completed || result.effort_spent);
  return to_string(ended ? Status::heuristic : result.status);
}

std::string schedule_progress(const std::string& netlist, const EngineProgress& progress, double seconds) {
  return fmt::format("{}: best {:.0f} copies, {} work, {:.1f} s", netlist, progress.incumbent,
                     io::count_text(static_cast<Int>(progress.work)), seconds);
}

io::Json schedule_json(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures, energy, verified] = run;
  auto head = result_head("simd", io::Verb::schedule, options);
  head.inputs = {describe_file(key::netlist, options.inputs.front())};
  const auto measured = figures_json(result.schedule, figures, energy);
  head.objective = objective_of(options.schedule_objective, measured);
  auto json = head_to_json(head);
  json[key::netlist] = netlist_json({netlist, mapping});
  json[key::method] = simd::to_string(options.method);
  json[key::status] = status_text(result);
  json[key::lower_bound] = {{key::copies, result.bound.copies}, {key::argument, result.bound.argument}};
  json.update(measured);
  json[key::verified] = verified;
  json[key::copies_by_cause] = copies_json(result.schedule);
  json[key::convergence] = milestones_json(result);
  json[key::search] = search_json(result);
  json[key::schedule] = io::schedule_lines(io::to_text(result.schedule, netlist));
  json[key::totals] = totals_json(figures.nodes, measured, options.schedule_objective, result.bound.copies);
  return json;
}

std::string schedule_text(const ScheduleRun& run) {
  const auto& [options, netlist, mapping, result, figures, energy, verified] = run;
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
                 fmt::format("{}", figures.arrays_used), fmt::format("{:.2f}", figures.energy(energy)),
                 fmt::format("{:.1f}", result.seconds)});
  auto text = table.to_string();
  if (mapping.restructured)
    text += fmt::format("mapped from {} to {} nodes\n", mapping.gates_before, mapping.gates_after);
  text += fmt::format("bound: {}\n", result.bound.argument);
  if (!result.completed && (result.status == Status::time_limit || result.status == Status::interrupted)) {
    const auto plan =
        result.planned_work == 0 ? std::string() : fmt::format(" --planned-work {}", result.planned_work);
    text +=
        fmt::format("to reproduce this schedule, given enough time: --work-limit {}{}\n", result.work, plan);
  }
  return text;
}

}  // namespace nestor::report
