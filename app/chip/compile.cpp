// nestor compile: maps a whole network onto a crossbar chip, with proof.
#include <fmt/format.h>

#include "app/chip/chip.h"
#include "app/chip/model.h"
#include "app/chip/programs.h"
#include "app/chip/search.h"
#include "app/console.h"
#include "app/output.h"
#include "mapper/chip/explain.h"
#include "report/chip/compile_run.h"
#include "report/chip/proof_writer.h"
#include "report/tables/units.h"

namespace nestor::app::chip_space {
namespace {

// Explains which limit no schedule can meet, with the lower bound that exceeds it.
std::string why_not(const chip::CompileRequest& request, const chip::Floors& floors) {
  const auto& limits = request.limits;
  if (limits.latency && floors.latency > *limits.latency)
    return fmt::format(": every schedule takes at least {} cycles", io::count_text(floors.latency));
  if (limits.energy && chip::exceeds(floors.energy, *limits.energy))
    return fmt::format(": every schedule takes at least {:.9g} pJ", floors.energy);
  if (limits.peak_power && chip::exceeds(floors.peak_power, *limits.peak_power))
    return fmt::format(": every schedule has a peak of at least {:.9g} pJ per cycle", floors.peak_power);
  return limits.latency || limits.energy || limits.peak_power ? " together" : "";
}

// Returns the error for a proof that no schedule exists, or for a run that was stopped before it found one.
io::Error nothing_found(const chip::ChipProblem& problem, const chip::CompileRequest& request,
                        const chip::CompileOutcome& outcome, const std::string& input) {
  const Status status = outcome.status;
  io::Error error;
  error.where.file = input;
  if (status != Status::infeasible) {
    error.kind = io::ErrorKind::limit;
    error.message =
        status == Status::heuristic
            ? std::string("the method found no schedule, but one may exist")
            : fmt::format("no schedule was found before the run was stopped ({})", to_string(status));
    return error;
  }
  error.kind = io::ErrorKind::infeasible;
  error.message = request.limits.any() ? "no schedule meets the limits" + why_not(request, outcome.floors)
                                       : fmt::format("no schedule exists on {}", problem.machine.name);
  if (problem.machine.l0.strict && problem.machine.l0.size != chip::left_out)
    error.message += fmt::format("; l0 is strict and has {} bits", problem.machine.l0.size);
  return error;
}

// Returns the error if --proof is given, but nestor-check has no rules for the request. Only the search for
// the lowest latency over cuts writes a proof.
io::MaybeError unprovable(const io::RunOptions& options, const chip::ChipProblem& problem,
                          const chip::CompileRequest& request) {
  if (options.proof.empty()) return std::nullopt;
  const auto reason = chip::why_not_by_cuts(problem, request);
  if (!reason) return std::nullopt;
  return io::usage_error(fmt::format("--proof: nestor-check has no rules for {}", *reason));
}

// An ONNX model with its integer weights, and the origin of their scales. All are empty unless a program is
// written or options request the weights.
struct Weighted {
  std::optional<Model> model;
  chip_program::ProgramNumbers numbers;
  report::WeightOrigin origin;
  bool stopped = false;  ///< true if the run was stopped before the weights of a program were computed
};

io::Result<Weighted> weights_for(const io::RunOptions& options, const chip::ChipMachine& machine,
                                 const StopSignal& stop) {
  Weighted made;
  const bool asked = !options.calibrate.empty() || options.per_tensor;
  const bool written = !options.output.empty() && !options.output.ends_with(".svg");
  if (!asked && !written) return made;
  const auto& input = options.inputs.front();
  auto model = read_model(input, machine, options);
  if (!model) {  // its graph can be compiled, but its data cannot be read
    const auto whole = read_whole_network(input, machine, options);
    if (!whole) return whole.error();
    if (asked) return model.error();
    print_remark(fmt::format("seeded weights in the program: {}", model.error().message));
    return made;
  }
  if (!*model) {
    if (asked) return io::usage_error("--calibrate and --per-tensor require an ONNX model with weights");
    return made;
  }
  auto numbers = quantise_model(input, **model, options, &stop);
  if (!numbers && stop.requested()) {
    made.stopped = written;
    print_remark("stopped during the calibration of the float graph: no program is written");
    return made;
  }
  if (!numbers) {
    if (asked) return numbers.error();
    print_remark(fmt::format("seeded weights in the program: {}", numbers.error().message));
    return made;
  }
  made.model = std::move(*model);
  made.numbers = std::move(*numbers);
  const bool stated = made.model->real.fully_stated();
  made.origin = {stated                      ? "of the model"
                 : options.calibrate.empty() ? "seeded image"
                                             : options.calibrate,
                 options.per_tensor};
  if (prints_tables(options))
    print_text(fmt::format("weights of the model, scales from {}\n", stated ? "the model"
                                                                     : options.calibrate.empty()
                                                                         ? "a seeded image"
                                                                         : options.calibrate));
  return made;
}

}  // namespace

io::Result<ExitStatus> compile(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one network, found {} inputs", options.inputs.size()));
  SearchSetup setup(options);
  auto machine = read_machine(options);
  if (!machine) return machine.error();
  const auto& input = options.inputs.front();
  auto weighted = weights_for(options, *machine, setup.resources().stop);
  if (!weighted) return weighted.error();
  const auto& model = weighted->model;
  const auto whole = model ? io::Result(model->whole) : read_whole_network(input, *machine, options);
  if (!whole) return whole.error();
  auto network = fit_network(input, *machine, *whole);
  if (!network) return network.error();
  CompiledNetwork compiled{std::move(*machine), std::move(*network), {}};
  const auto problem = chip::make_problem(compiled.machine, compiled.network);
  const auto request = request_of(options, compiled.machine.mode);
  if (!request) return request.error();
  if (auto error = unprovable(options, problem, request->search)) return *error;
  setup.set_network(compiled.network.name);
  const auto result = chip::compile_network(problem, *request, setup.resources());
  setup.clear_line();
  const auto& outcome = result.outcome;
  if (!outcome.best) return nothing_found(problem, request->search, outcome, input);
  if (!result.fault.empty()) return io::internal_error(result.fault);
  setup.log_end(outcome.status, outcome.objective);
  compiled.decisions = *outcome.best;
  const auto& evaluation = *result.evaluation;
  report::CompileRun run{options, compiled, *request, result};
  if (model) run.weights = weighted->origin;
  if (prints_tables(options)) {
    print_text(report::compiled_text(compiled, evaluation));
    print_text(report::summary_text(run));
  }
  Outputs outputs;
  const auto numbers = model ? cut_for(*model, weighted->numbers, compiled.network) : nullptr;
  if (!weighted->stopped) outputs.add(write_output(options, compiled, evaluation, numbers));
  outputs.add(report::write_compile_proof(run));
  if (options.explain) {
    auto found = chip::explain(compiled.machine, *whole, *request, outcome.objective,
                               outcome.status == Status::optimal, setup.resources());
    setup.clear_line();
    if (found.refusal) return outputs.fail_with(refusal(input, *found.refusal));
    if (!found.fault.empty()) return outputs.fail_with(io::internal_error(found.fault));
    if (prints_tables(options)) print_text(report::gains_text(found.gains));
    if (!found.complete) print_remark("stopped before all resources were searched");
    run.gains = std::move(found.gains);
  }
  outputs.add(write_json_output(options, report::compile_json(run)));
  const bool limited =
      result.proves && outcome.status != Status::optimal && outcome.status != Status::gap_reached;
  return outputs.end(limited ? limited_by(to_string(outcome.status)) : ExitStatus::solved);
}

}  // namespace nestor::app::chip_space
