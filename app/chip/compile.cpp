// nestor compile: a whole network onto a crossbar chip, with proof.
#include <algorithm>
#include <cmath>

#include "app/chip/chip.h"
#include "app/chip/explain.h"
#include "app/chip/programs.h"
#include "app/chip/search.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/find_data.h"
#include "io/units.h"

namespace nestor::app::chip_space {
namespace {

// One of the baselines, as it is.
chip::CompileOutcome take_baseline(const chip::Problem& problem, const chip::CompileRequest& request,
                                   const std::vector<BaselineRun>& runs, chip::Method wanted) {
  chip::CompileOutcome outcome;
  outcome.status = Status::work_limit;  // proves nothing
  for (const auto& run : runs) {
    if (run.baseline != wanted) continue;
    outcome.best = run.decisions;
    outcome.objective = chip::figure_of(chip::evaluate(problem, run.decisions), request.objective);
  }
  return outcome;
}

double gap_of(const chip::CompileOutcome& outcome) {
  return outcome.objective > 0 ? (outcome.objective - outcome.bound) / outcome.objective : 0;
}

io::Json inputs_json(const io::RunOptions& options) {
  auto inputs = io::Json::array();
  const auto add = [&](const char* role, const std::string& name, io::DataKind kind) {
    const auto path = io::find_data(kind, name);
    if (!path) return;
    const auto input = describe_input(role, name, *path);
    inputs.push_back(
        {{"role", input.role}, {"name", input.name}, {"bytes", input.bytes}, {"digest", input.digest}});
  };
  add("architecture", options.arch, io::DataKind::architecture);
  add("network", options.inputs.front(), io::DataKind::chip_network);
  return inputs;
}

io::Json result_json(const io::RunOptions& options, const Compiled& compiled,
                     const chip::CompileRequest& request, const chip::CompileOutcome& outcome,
                     const chip::Evaluation& evaluation, const std::vector<BaselineRun>& baselines,
                     bool proves) {
  io::Json json = {
      {"schema", "nestor.compile/1"}, {"version", NESTOR_VERSION}, {"verb", "compile"}, {"space", "chip"}};
  json["inputs"] = inputs_json(options);
  io::Json given = io::Json::object();
  for (const auto& [name, value] : given_options(options, io::Verb::compile)) given[name] = value;
  json["options"] = std::move(given);
  json["status"] = proves ? to_string(outcome.status) : "baseline";
  json["objective"] = {{"kind", chip::to_string(request.objective)}, {"value", outcome.objective}};
  if (proves) {
    json["lower_bound"] = outcome.bound;
    json["gap"] = gap_of(outcome);
  }
  io::Json methods = io::Json::object();
  for (const auto& run : baselines) methods[chip::to_string(run.baseline)] = run.latency;
  json["baselines"] = std::move(methods);
  json["search"] = {{"nodes", outcome.counts.nodes},
                    {"knapsacks", outcome.counts.knapsacks},
                    {"linear_programs", outcome.counts.programs},
                    {"closed_by_longest_path", outcome.counts.reached},
                    {"closed_by_mixed_paths", outcome.counts.mixed},
                    {"options_removed", outcome.counts.shaved},
                    {"labels", outcome.labels}};
  json["decisions"] = io::chip_decisions_to_json(compiled.decisions, compiled.network);
  json["evaluation"] = io::chip_evaluation_to_json(evaluation, compiled.network);
  json["architecture"] = io::chip_machine_to_json(compiled.machine);
  json["network"] = io::chip_network_to_json(compiled.network);
  return json;
}

void print_summary(const chip::CompileRequest& request, const chip::CompileOutcome& outcome,
                   const chip::Evaluation& evaluation, const std::vector<BaselineRun>& baselines,
                   bool proves) {
  if (proves)
    print("{}: {} {:.9g}, at least {:.9g} ({:.3g} % apart), {} nodes\n", to_string(outcome.status),
          chip::to_string(request.objective), outcome.objective, outcome.bound, 100 * gap_of(outcome),
          io::count_text(static_cast<Int>(outcome.counts.nodes + outcome.labels)));
  for (const auto& run : baselines)
    print(
        "{}: {} cycles, {:.3f} times as long\n", chip::to_string(run.baseline), io::count_text(run.latency),
        static_cast<double>(run.latency) / static_cast<double>(std::max<Int>(1, evaluation.latency_cycles)));
}

io::Error nothing_fits(const chip::Problem& problem, const chip::CompileRequest& request,
                       const std::string& input) {
  io::Error error;
  error.where.file = input;
  error.kind = io::ErrorKind::infeasible;
  error.message = request.limits.any() ? "no schedule keeps the limits"
                                       : fmt::format("no schedule exists on {}", problem.machine.name);
  if (problem.machine.l0.strict && problem.machine.l0.size != chip::left_out)
    error.message += fmt::format("; l0 is strict and has {} bits", problem.machine.l0.size);
  return error;
}

}  // namespace

io::Result<Outcome> compile(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one network, found {} inputs", options.inputs.size()));
  auto machine = read_machine(options);
  if (!machine) return machine.error();
  auto network = read_network(options.inputs.front(), *machine, options);
  if (!network) return network.error();
  Compiled compiled{std::move(*machine), std::move(*network), {}};
  const auto problem = chip::make_problem(compiled.machine, compiled.network);

  const auto asked = request_of(options, compiled.machine.mode);
  if (!asked) return asked.error();
  const auto& request = *asked;
  const auto baselines = run_baselines(problem, request.levels);
  const bool proves = options.chip_method == chip::Method::optimal;
  chip::CompileOutcome outcome;
  if (proves) {
    outcome = search(problem, request, baselines, options);
  } else {
    outcome = take_baseline(problem, request, baselines, options.chip_method);
  }
  if (!outcome.best) {
    if (outcome.status == Status::infeasible) return nothing_fits(problem, request, options.inputs.front());
    io::Error error;
    error.where.file = options.inputs.front();
    error.kind = io::ErrorKind::limit;
    error.message =
        fmt::format("no schedule was found before the run was stopped ({})", to_string(outcome.status));
    return error;
  }
  compiled.decisions = *outcome.best;
  if (const auto violation = chip::find_violation(problem, compiled.decisions))
    return io::internal_error("what was found is not legal: " + violation->message);
  const auto evaluation = chip::evaluate(problem, compiled.decisions);
  if (std::abs(chip::figure_of(evaluation, request.objective) - outcome.objective) >
      1e-9 * std::max(1.0, outcome.objective))
    return io::internal_error("what was found costs other than the search says");
  if (prints_tables(options)) {
    print_text(compiled_text(compiled, evaluation));
    print_summary(request, outcome, evaluation, baselines, proves);
  }
  if (auto error = write_output(options, compiled, evaluation)) return *error;
  auto json = result_json(options, compiled, request, outcome, evaluation, baselines, proves);
  if (options.explain) {
    const auto gains = explain(options, compiled, outcome.objective, outcome.status == Status::optimal);
    if (!gains) return gains.error();
    if (prints_tables(options)) print_text(gains_text(*gains));
    json["resources"] = gains_json(*gains);
  }
  if (auto error = write_json_output(options, json)) return *error;
  const bool limited = proves && outcome.status != Status::optimal && outcome.status != Status::gap_reached;
  return limited ? Outcome::limited : Outcome::solved;
}

}  // namespace nestor::app::chip_space
