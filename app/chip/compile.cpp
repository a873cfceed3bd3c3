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

namespace nestor::app::chip_space {
namespace {

// One of the baselines, as it is.
chip::CompileOutcome take_baseline(const chip::Problem& problem, const chip::CompileRequest& request,
                                   const std::vector<BaselineRun>& runs, chip::CompileMethod wanted) {
  chip::CompileOutcome outcome;
  outcome.status = Status::work_limit;  // proves nothing
  for (const auto& run : runs) {
    if (run.baseline != wanted) continue;
    outcome.best = run.decisions;
    outcome.objective = chip::figure_of(chip::evaluate(problem, run.decisions), request.objective);
  }
  return outcome;
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
  CompiledNetwork compiled{std::move(*machine), std::move(*network), {}};
  const auto problem = chip::make_problem(compiled.machine, compiled.network);

  const auto asked = request_of(options, compiled.machine.mode);
  if (!asked) return asked.error();
  const auto& request = *asked;
  const auto baselines = run_baselines(problem, request.levels);
  const bool proves = options.chip_method == chip::CompileMethod::optimal;
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
  const report::CompileRun run{options, compiled, request, outcome, evaluation, baselines, proves};
  if (prints_tables(options)) {
    print_text(report::compiled_text(compiled, evaluation));
    print_text(report::summary_text(run));
  }
  if (auto error = write_output(options, compiled, evaluation)) return *error;
  auto json = report::compile_json(run);
  if (options.explain) {
    const auto gains = explain(options, compiled, outcome.objective, outcome.status == Status::optimal);
    if (!gains) return gains.error();
    if (prints_tables(options)) print_text(report::gains_text(*gains));
    report::add_gains(json, *gains);
  }
  if (auto error = write_json_output(options, json)) return *error;
  const bool limited = proves && outcome.status != Status::optimal && outcome.status != Status::gap_reached;
  return limited ? Outcome::limited : Outcome::solved;
}

}  // namespace nestor::app::chip_space
