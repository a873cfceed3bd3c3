#include "report/simd/schedule_run.h"

#include <fmt/format.h>

#include <array>

#include "report/keys/common.h"
#include "report/keys/proof.h"
#include "report/keys/simd.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "report/results/simd/schedule_file.h"
#include "report/run_record.h"
#include "report/simd/schedule_figures.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Fields;
using io::put;
using io::put_json;

void describe_bound(Fields& fields, const simd::LowerBound& bound) {
  put(fields, key::copies, bound.copies, "");
  put(fields, key::argument, bound.argument, "Reason why no schedule has fewer copies.");
}

void describe_causes(Fields& fields, const simd::Schedule& schedule) {
  std::uint64_t fanins = 0, evictions = 0;
  for (const auto& instruction : schedule.instructions)
    if (instruction.is_copy()) (instruction.cause == simd::CopyCause::eviction ? evictions : fanins) += 1;
  put(fields, key::fanin, fanins, "Copies that bring a fanin to the array of its gate.");
  put(fields, key::eviction, evictions, "Copies that save an evicted value.");
  describe_pairs(fields, copies_by_pair(schedule));
}

void describe_milestone(Fields& fields, const simd::Milestone& milestone) {
  put(fields, key::seconds, milestone.seconds, "");
  put(fields, key::work, milestone.work, "");
  put(fields, key::copies, milestone.copies, "");
}

void describe_labels(Fields& fields, const SearchCounts& labels) {
  put(fields, "expanded", labels.expanded, "");
  put(fields, "generated", labels.generated, "");
  put(fields, "cut", labels.cut, "");
  put(fields, key::dominated, labels.dominated, "");
}

void describe_effort_of_schedule(Fields& fields, const simd::ScheduleResult& result) {
  const bool has_labels = result.labels.generated != 0;
  put(fields, key::seconds, result.seconds, "");
  put(fields, key::work, result.work, "With planned_work, reproduces a stopped run.");
  put(fields, key::planned_work, result.planned_work != 0 ? std::optional(result.planned_work) : std::nullopt,
      "");
  put(fields, key::constructions, result.trials, "");
  put(fields, key::passes, result.passes, "Passes of improvement.");
  io::put_part(fields, key::labels, has_labels ? std::optional(result.labels) : std::nullopt, describe_labels,
               "Labels of an exact search.");
}

io::Json verified_schema() {
  return io::record_schema(
      {{key::patterns, io::count_schema()}, {key::exhaustive, io::schema_of_type<bool>()}}, true);
}

void describe_schedule_run(Fields& fields, io::ResultHead& head, const ScheduleRun& run) {
  constexpr std::array<std::string_view, 1> spaces = {"simd"}, verbs = {"schedule"};
  const auto& result = run.result;
  const auto& figures = run.figures;
  describe_head(fields, head, spaces, verbs);
  fields.part(
      key::netlist, io::always,
      [&](Fields& inner) {
        describe_netlist(inner, {run.netlist, run.mapping});
      },
      "");
  put_word(fields, key::method, simd::to_string(run.options.method), simd::schedule_methods.words, "");
  put_word(fields, key::status, status_text(result), io::statuses.words,
           "heuristic: a method ended by itself, or used the given effort, without a proof.");
  fields.part(
      key::lower_bound, io::always, [&](Fields& inner) { describe_bound(inner, result.bound); }, "");
  describe_figures(fields, result.schedule, figures, run.energy);
  put_json(
      fields, key::verified, io::always, [&] { return run.verified; }, [] { return verified_schema(); },
      "Patterns of the inputs on which the outputs were compared with the netlist's.");
  fields.part(
      key::copies_by_cause, io::always, [&](Fields& inner) { describe_causes(inner, result.schedule); }, "");
  put_list(fields, key::convergence, result.milestones, describe_milestone,
           "Lowest number of copies over time.");
  fields.part(
      key::search, io::always, [&](Fields& inner) { describe_effort_of_schedule(inner, result); }, "");
  const auto write_schedule = [&] { return io::schedule_lines(io::to_text(result.schedule, run.netlist)); };
  put_json(
      fields, key::schedule, io::always, [&] { return io::Json(write_schedule()); },
      [] { return io::schema_of_type<std::vector<std::string>>(); },
      "The schedule in the format of docs/netlists.md, with one line per item.");
  const ScheduleTotals totals = {figures.nodes, figures.copies, figures.energy(run.energy),
                                 run.options.schedule_objective, result.bound.copies};
  fields.part(
      key::totals, io::always, [&](Fields& inner) { describe_schedule_totals(inner, totals); },
      "The keys of all spaces; layers are nodes.");
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
  const auto& options = run.options;
  auto head = result_head("simd", io::Verb::schedule, options);
  head.inputs = {describe_file(key::netlist, options.inputs.front())};
  head.objective =
      objective_of(options.schedule_objective, run.figures.copies, run.figures.energy(run.energy));
  return io::write_fields([&](Fields& fields) { describe_schedule_run(fields, head, run); });
}

io::Json schedule_result_schema() {
  io::ResultHead head;
  const io::RunOptions options;
  const simd::Netlist netlist;
  const simd::MapReport mapping;
  const simd::ScheduleResult result;
  const simd::EnergyModel energy;
  const io::Json verified;
  const ScheduleRun run{options, netlist, mapping, result, {}, energy, verified};
  return io::schema_of([&](Fields& fields) { describe_schedule_run(fields, head, run); },
                       io::SchemaKind::output);
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
