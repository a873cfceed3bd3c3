#include "report/chip/compile_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/chip/network_file.h"
#include "report/chip/program_run.h"
#include "report/keys/chip.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "report/keys/comparison.h"
#include "report/results/output_fields.h"
#include "report/results/result_parts.h"
#include "report/run_record.h"
#include "report/tables/table.h"
#include "report/tables/units.h"
#include "solver/search/tolerance.h"

namespace nestor::report {
namespace {

std::string figure_text(chip::CompileObjective objective, double value) {
  if (objective == chip::CompileObjective::latency)
    return io::count_text(static_cast<Int>(value)) + " cycles";
  const auto energy = io::energy_text(value);
  return objective == chip::CompileObjective::energy ? energy : energy + " per cycle";
}

std::string ties_text(chip::CompileObjective objective, const chip::TieBreak& tie) {
  const auto other = chip::tie_breaker(objective);
  return fmt::format("{} at this {}: {}\n", chip::to_string(other), chip::to_string(objective),
                     tie.is_proved() ? "least, proved"
                     : tie.bound > 0 ? "not proved to be least, at least " + figure_text(other, tie.bound)
                                     : "not proved to be least");
}

std::string ratio_text(double value, double best) {
  if (costs_agree(value, best)) return "the same";
  return best > 0 ? fmt::format("{:.3f} times as much", value / best) : "more";
}

}  // namespace

std::string compile_progress(const std::string& network, const EngineProgress& progress) {
  const auto best = progress.incumbent < no_cost ? fmt::format("{:.9g}", progress.incumbent) : "none";
  return fmt::format("{}: at least {:.9g}, best {}, {} nodes", network, progress.bound, best,
                     io::count_text(static_cast<Int>(progress.work)));
}

namespace {

using io::Fields;
using io::put;
using io::put_word;

struct TieOfCompilation {
  chip::CompileObjective objective = chip::CompileObjective::latency;
  chip::TieBreak tie;
};

void describe_tie(Fields& fields, const TieOfCompilation& found) {
  put_word(fields, key::objective, chip::to_string(found.objective), chip::compile_objectives.words, "");
  put_word(fields, key::status, to_string(found.tie.status), io::statuses.words,
           "optimal: the minimum is proved.");
  put(fields, key::lower_bound, found.tie.bound, "");
  put(fields, key::nodes, found.tie.nodes, "");
}

void describe_effort_of(Fields& fields, const chip::CompileOutcome& outcome) {
  const auto& counts = outcome.counts;
  put(fields, key::nodes, counts.nodes, "");
  put(fields, "knapsacks", counts.knapsacks, "");
  put(fields, "linear_programs", counts.programs, "");
  put(fields, "closed_by_longest_path", counts.reached, "");
  put(fields, "closed_by_mixed_paths", counts.mixed, "");
  put(fields, "options_removed", counts.shaved, "");
  put(fields, key::labels, outcome.labels, "");
}

io::Json baselines_json(const std::vector<chip::BaselineRun>& baselines) {
  io::Json cycles = io::Json::object();
  for (const auto& each : baselines) {
    cycles[std::string(chip::to_string(each.baseline))] = each.latency;
    if (each.baseline == chip::CompileMethod::poly_schedule) cycles[key::interval_cycles] = each.interval;
  }
  return cycles;
}

void describe_origin(Fields& fields, const WeightOrigin& weights) {
  put(fields, "scales", weights.scales,
      "Origin of the scales: the model, a seeded image, or the file of --calibrate.");
  put(fields, "per_tensor", weights.per_tensor, "");
}

void describe_gain(Fields& fields, const chip::ResourceGain& gain) {
  put(fields, key::resource, gain.resource, "");
  put(fields, "now", gain.now, "Amount of the machine.");
  put(fields, "more", gain.more, "Larger amount.");
  put(fields, key::objective, gain.objective, "Objective of the best schedule found with `more`.");
  io::put_json(
      fields, key::gain, io::always, [&] { return io::Json(gain.gain); }, io::figure_schema,
      "Share of the objective that is saved; negative if worse.");
  put(fields, key::proved, gain.proved, "True if both objectives are proved optimal.");
}

void describe_compilation(Fields& fields, io::ResultHead& head, const CompileRun& run) {
  const auto& result = run.result;
  const auto& outcome = result.outcome;
  describe_compiled(fields, head, io::Verb::compile, run.compiled);
  put_word(fields, key::status, to_string(outcome.status), io::statuses.words,
           "heuristic: the search ended without a proof or, if lower_bound is absent, --method made the "
           "schedule.");
  const auto bound = result.proves ? std::optional(outcome.bound) : std::nullopt;
  put(fields, key::lower_bound, bound,
      "No schedule is better. Absent if another --method made the schedule.");
  put(fields, key::gap, bound ? std::optional(gap_between(outcome.objective, *bound)) : std::nullopt,
      "(objective - lower_bound) / objective");
  const bool is_proved = result.proves && outcome.status == Status::optimal;
  const TieOfCompilation tie = {chip::tie_breaker(run.request.search.objective), outcome.tie};
  io::put_part(fields, key::tie_break, is_proved ? std::optional(tie) : std::nullopt, describe_tie,
               "Minimisation of the other cost among schedules of equal objective, after that optimum is "
               "proved.");
  io::put_map(
      fields, key::baseline_cycles, [&] { return baselines_json(result.baselines); }, io::count_schema,
      "Cycles of each method that has a legal schedule; interval_cycles: cycles per image of a batch, for "
      "poly-schedule.");
  fields.part(
      key::search, io::always, [&](Fields& inner) { describe_effort_of(inner, outcome); }, "");
  describe_schedule(fields, run.compiled, *result.evaluation, outcome.objective, bound);
  io::put_part(fields, key::model_weights, run.weights, describe_origin,
               "Quantisation of a program with the model's own weights.");
  io::put_list(fields, key::resources, run.gains, describe_gain,
               "With --explain: the gain from more of each resource.");
}

}  // namespace

io::Json compile_json(const CompileRun& run) {
  const auto& options = run.options;
  auto head = result_head("chip", io::Verb::compile, options);
  head.inputs = {describe_input("architecture", options.arch, io::DataKind::architecture),
                 describe_input("network", options.inputs.front(), io::chip_networks)};
  head.objective = {std::string(chip::to_string(run.request.search.objective)), "",
                    run.result.outcome.objective};
  return io::write_fields([&](Fields& fields) { describe_compilation(fields, head, run); });
}

io::Json compile_schema() {
  io::ResultHead head;
  const io::RunOptions options;
  const CompiledNetwork compiled;
  const chip::NetworkRequest request;
  chip::CompileResult result;
  result.evaluation.emplace();
  const CompileRun run{options, compiled, request, result};
  return io::schema_of([&](Fields& fields) { describe_compilation(fields, head, run); },
                       io::SchemaKind::output);
}

io::Json chip_result_schema() {
  const std::pair<const char*, io::Json> forms[] = {{"result", compile_schema()},
                                                    {key::evaluated, evaluation_schema()},
                                                    {key::simulated, simulation_schema()}};
  return io::schema_of_forms(forms);
}

std::string summary_text(const CompileRun& run) {
  const auto& result = run.result;
  const auto& outcome = result.outcome;
  std::string text;
  if (result.proves)
    text += fmt::format("{}: {} {}, at least {} (gap {}), {} nodes\n", to_string(outcome.status),
                        chip::to_string(run.request.search.objective),
                        figure_text(run.request.search.objective, outcome.objective),
                        figure_text(run.request.search.objective, outcome.bound),
                        io::percent_text(gap_between(outcome.objective, outcome.bound)),
                        io::count_text(static_cast<Int>(outcome.counts.nodes + outcome.labels)));
  const auto objective = run.request.search.objective;
  if (result.proves && outcome.status == Status::optimal) text += ties_text(objective, outcome.tie);
  for (const auto& each : result.baselines) {
    text += fmt::format("{}: {}, {}", chip::to_string(each.baseline), figure_text(objective, each.objective),
                        ratio_text(each.objective, outcome.objective));
    if (each.baseline == chip::CompileMethod::poly_schedule)
      text += fmt::format("; of a batch, one image in {} cycles", io::count_text(each.interval));
    text += '\n';
  }
  return text;
}

std::string gains_text(const std::vector<chip::ResourceGain>& gains) {
  io::Table table({{"resource", io::Align::left}, {"now"}, {"more"}, {"objective"}, {"gains"}, {"proved"}});
  for (const auto& gain : gains)
    table.add_row({gain.resource, io::count_text(gain.now), io::count_text(gain.more),
                   fmt::format("{:.9g}", gain.objective), gain.gain == 0 ? "0" : io::percent_text(gain.gain),
                   gain.proved ? "yes" : "no"});
  return "\n" + table.to_string();
}

}  // namespace nestor::report
