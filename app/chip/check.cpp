// nestor evaluate for compiled networks, and nestor show for results of compile and for chips.
#include <fmt/format.h>

#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "report/chip/compiled.h"
#include "report/chip/input_text.h"
#include "report/run_record.h"

namespace nestor::app::chip_space {
namespace {

io::Result<CompiledNetwork> read_given(const io::RunOptions& options) {
  if (!options.inputs.empty()) {
    if (options.inputs.size() > 1)
      return io::usage_error(fmt::format("expected one result, found {} inputs", options.inputs.size()));
    if (auto error = io::check_result_exclusions(options, io::Verb::evaluate, "chip")) return *error;
    return read_result(options.inputs.front());
  }
  if (options.chip_network.empty() || options.chip_decisions.empty())
    return io::usage_error("expected a result of compile, or --network, --arch and --decisions");
  auto machine = read_machine(options);
  if (!machine) return machine.error();
  auto network = read_network(options.chip_network, *machine, options);
  if (!network) return network.error();
  auto decisions = io::read_chip_decisions(options.chip_decisions, *network, machine->mode);
  if (!decisions) return decisions.error();
  const auto problem = chip::make_problem(*machine, *network);
  if (const auto violation = chip::find_violation(problem, *decisions))
    return io::input_error({options.chip_decisions}, violation->message);
  return CompiledNetwork{std::move(*machine), std::move(*network), std::move(*decisions)};
}

io::Json json_of(const io::RunOptions& options, const CompiledNetwork& compiled,
                 const chip::ChipEvaluation& evaluation) {
  auto head = report::result_head("chip", io::Verb::evaluate, options);
  if (!options.inputs.empty())
    head.inputs = {report::describe_file("result", options.inputs.front())};
  else
    head.inputs = {report::describe_input("architecture", options.arch, io::DataKind::architecture),
                   report::describe_input("network", options.chip_network, io::chip_networks),
                   report::describe_file("decisions", options.chip_decisions)};
  return report::evaluation_json(head, compiled, evaluation);
}

}  // namespace

io::Result<ExitStatus> evaluate(const io::RunOptions& options) {
  const auto compiled = read_given(options);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto evaluation = chip::evaluate(problem, compiled->decisions);
  if (prints_tables(options)) print_text(report::compiled_text(*compiled, evaluation));
  Outputs outputs;
  outputs.add(write_output(options, *compiled, evaluation));
  outputs.add(write_json_output(options, json_of(options, *compiled, evaluation)));
  return outputs.end(ExitStatus::solved);
}

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options) {
  const auto machine = io::read_chip_machine(path_or_name, options.settings);
  if (!machine) return machine.error();
  return Shown{report::chip_text(*machine), io::chip_machine_to_json(*machine)};
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  if (options.inputs.size() != 1) return io::usage_error("expected one result of compile");
  const auto compiled = read_result(options.inputs.front());
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto evaluation = chip::evaluate(problem, compiled->decisions);
  if (auto error = write_output(options, *compiled, evaluation)) return *error;
  return Shown{report::compiled_text(*compiled, evaluation),
               json_of(options, *compiled, evaluation),
               {.takes_output = true}};
}

}  // namespace nestor::app::chip_space
