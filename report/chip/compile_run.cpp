#include "report/chip/compile_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "report/keys/chip.h"
#include "report/keys/common.h"
#include "report/results/chip/compile_keys.h"
#include "report/results/chip/evaluation_json.h"
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

io::Json compile_json(const CompileRun& run) {
  const auto& [options, compiled, request, result] = run;
  const auto& outcome = result.outcome;
  auto head = result_head("chip", io::Verb::compile, options);
  head.inputs = {describe_input("architecture", options.arch, io::DataKind::architecture),
                 describe_input("network", options.inputs.front(), io::chip_networks)};
  head.objective = {std::string(chip::to_string(request.search.objective)), "", outcome.objective};
  auto json = head_to_json(head);
  json[key::architecture] = io::chip_machine_to_json(compiled.machine);
  json[key::network] = io::chip_network_to_json(compiled.network);
  json[key::status] = to_string(outcome.status);
  if (result.proves) {
    json[key::lower_bound] = outcome.bound;
    json[key::gap] = gap_between(outcome.objective, outcome.bound);
    if (outcome.status == Status::optimal)
      json[key::tie_break] = {{key::objective, chip::to_string(chip::tie_breaker(request.search.objective))},
                              {key::status, to_string(outcome.tie.status)},
                              {key::lower_bound, outcome.tie.bound},
                              {key::nodes, outcome.tie.nodes}};
  }
  io::Json methods = io::Json::object();
  for (const auto& each : result.baselines) {
    methods[std::string(chip::to_string(each.baseline))] = each.latency;
    if (each.baseline == chip::CompileMethod::poly_schedule) methods[key::interval_cycles] = each.interval;
  }
  json[key::baseline_cycles] = std::move(methods);
  const auto& counts = outcome.counts;
  const std::array<std::uint64_t, io::compile_keys::counts.size()> counted = {
      counts.nodes, counts.knapsacks, counts.programs, counts.reached,
      counts.mixed, counts.shaved,    outcome.labels};
  io::Json search = io::Json::object();
  for (std::size_t i = 0; i < counted.size(); ++i)
    search[std::string(io::compile_keys::counts[i])] = counted[i];
  json[key::search] = std::move(search);
  json[key::decisions] = io::chip_decisions_to_json(compiled.decisions, compiled.network);
  json[key::evaluation] = io::chip_evaluation_to_json(*result.evaluation, compiled.network);
  json[key::throughput] = io::throughput_to_json(*result.evaluation);
  const auto bound = result.proves ? std::optional(outcome.bound) : std::nullopt;
  json[key::totals] = io::chip_totals_to_json(compiled.network, result.evaluation->latency_cycles,
                                              result.evaluation->energy_pj, outcome.objective, bound);
  return json;
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

void add_gains(io::Json& json, const std::vector<chip::ResourceGain>& gains) {
  auto& list = json[key::resources] = io::Json::array();
  for (const auto& gain : gains)
    list.push_back({{key::resource, gain.resource},
                    {"now", gain.now},
                    {"more", gain.more},
                    {key::objective, gain.objective},
                    {key::gain, gain.gain},
                    {key::proved, gain.proved}});
}

}  // namespace nestor::report
