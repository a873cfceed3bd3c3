// nestor simulate for compiled networks: simulates the timing of a program, given by a result or a file, and
// with --functional also computes its outputs.
#include <fmt/format.h>

#include "app/chip/chip.h"
#include "app/chip/images.h"

#include "app/chip/programs.h"
#include "app/console.h"
#include "app/output.h"
#include "io/chip/program/program_file.h"
#include "io/output_file.h"
#include "report/chip/program_run.h"
#include "report/chip/trace/chip_trace.h"
#include "report/run_record.h"

namespace nestor::app::chip_space {
namespace {

using report::ProgramRun;

io::Result<ProgramRun> read_execution(const io::RunOptions& options) {
  if (options.inputs.size() + static_cast<std::size_t>(!options.chip_program.empty()) != 1)
    return io::usage_error("expected one result of compile, or one program");
  ProgramRun run;
  run.file = options.inputs.empty() ? options.chip_program : options.inputs.front();
  if (!options.chip_program.empty() || is_program(run.file, io::read_head(run.file, 64))) {
    auto program = io::read_program(run.file);
    if (!program) return program.error();
    auto machine = machine_of(*program, options);
    if (!machine) return machine.error();
    run.machine = std::move(*machine);
    run.program = std::move(*program);
    return run;
  }
  if (auto error = io::check_result_exclusions(options, io::Verb::simulate, "chip")) return *error;
  auto compiled = read_result(run.file);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  run.model = chip::evaluate(problem, compiled->decisions);
  run.program = program_of(*compiled, *run.model, false);
  run.machine = std::move(compiled->machine);
  return run;
}

}  // namespace

io::Result<ExitStatus> simulate(const io::RunOptions& options) {
  auto run = read_execution(options);
  if (!run) return run.error();
  auto timing = sim::chip::simulate_timing(run->program, run->machine);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&timing)) return fault_error(*run, *fault);
  run->timing = std::move(std::get<sim::chip::Timing>(timing));
  if (!options.functional && (!options.images.empty() || !options.output.empty() || options.reference))
    return io::usage_error("--input, --output and --reference require --functional");
  std::string npy;
  if (options.functional)
    if (auto error = run_numbers(*run, options, npy)) return *error;
  if (prints_tables(options)) print_text(report::simulation_text(*run));
  Outputs outputs;
  if (!options.output.empty()) outputs.add(io::write_somewhere(options.output, npy));
  if (!options.trace.empty()) {
    const auto trace = io::make_chip_trace(run->machine.name, run->program, run->timing);
    print_remark(io::trace_notice(trace.complete));
    outputs.add(io::write_trace(options.trace, trace));
  }
  auto head = report::result_head("chip", io::Verb::simulate, options);
  head.inputs = {report::describe_file(run->model ? "result" : "program", run->file)};
  if (!options.arch.empty())
    head.inputs.push_back(report::describe_input("architecture", options.arch, io::DataKind::architecture));
  outputs.add(write_json_output(options, report::simulation_json(head, *run)));
  return outputs.end(run->difference.empty() ? ExitStatus::solved : claim_failed(run->file));
}

}  // namespace nestor::app::chip_space
