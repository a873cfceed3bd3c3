// nestor evaluate and show for compiled networks.
#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"

namespace nestor::app::chip_space {
namespace {

io::Result<CompiledNetwork> read_given(const io::RunOptions& options) {
  if (options.inputs.size() == 1) return read_result(options.inputs.front(), nullptr);
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

}  // namespace

io::Result<Outcome> evaluate(const io::RunOptions& options) {
  const auto compiled = read_given(options);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto evaluation = chip::evaluate(problem, compiled->decisions);
  if (prints_tables(options)) print_text(report::compiled_text(*compiled, evaluation));
  if (auto error = write_output(options, *compiled, evaluation)) return *error;
  if (auto error = write_json_output(options, report::evaluation_json(*compiled, evaluation))) return *error;
  return Outcome::solved;
}

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions&) {
  const auto machine = io::read_chip_machine(path_or_name);
  if (!machine) return machine.error();
  const auto ideal = [](Int value, const char* unit) {
    return value == chip::left_out ? std::string("ideal") : fmt::format("{} {}", value, unit);
  };
  std::string text = fmt::format("{} ({})\n", machine->name, chip::to_string(machine->mode));
  if (!machine->source.empty()) text += machine->source + "\n";
  text +=
      fmt::format("chip      {} cores, digital unit {}, L0 {} at {}{}\n", machine->cores.count(),
                  ideal(machine->chip_alu, "operations per cycle"),
                  machine->l0.size == chip::left_out ? "unlimited" : fmt::format("{} bits", machine->l0.size),
                  ideal(machine->l0.bandwidth, "bits per cycle"), machine->l0.hidden ? ", hidden" : "");
  text +=
      fmt::format("core      {} crossbars, shift-and-add {}, L1 {} at {}\n", machine->crossbars.count(),
                  ideal(machine->core_alu, "operations per cycle"),
                  machine->l1.size == chip::left_out ? "unlimited" : fmt::format("{} bits", machine->l1.size),
                  ideal(machine->l1.bandwidth, "bits per cycle"));
  text += fmt::format("crossbar  {} x {} cells of {} bits, {} rows at once, {}, {} cycles to write a row\n",
                      machine->cell.rows, machine->cell.columns, machine->cell.cell_bits,
                      machine->cell.parallel_rows, machine->cell.type, machine->cell.write_cycles);
  return Shown{text, io::chip_machine_to_json(*machine)};
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  if (options.inputs.size() != 1) return io::usage_error("expected one result of compile");
  const auto compiled = read_result(options.inputs.front(), nullptr);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto evaluation = chip::evaluate(problem, compiled->decisions);
  if (auto error = write_output(options, *compiled, evaluation)) return *error;
  return Shown{report::compiled_text(*compiled, evaluation), report::evaluation_json(*compiled, evaluation)};
}

}  // namespace nestor::app::chip_space
