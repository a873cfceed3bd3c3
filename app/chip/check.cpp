// nestor evaluate, verify and show for compiled networks.
#include <cmath>

#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "app/console.h"
#include "app/inputs.h"
#include "app/output.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"

namespace nestor::app::chip_space {
namespace {

io::Result<Compiled> read_given(const io::RunOptions& options) {
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
  return Compiled{std::move(*machine), std::move(*network), std::move(*decisions)};
}

io::Json evaluation_json(const Compiled& compiled, const chip::Evaluation& evaluation) {
  return {{"schema", "nestor.compile-evaluation/1"},
          {"version", NESTOR_VERSION},
          {"verb", "evaluate"},
          {"space", "chip"},
          {"decisions", io::chip_decisions_to_json(compiled.decisions, compiled.network)},
          {"evaluation", io::chip_evaluation_to_json(evaluation, compiled.network)}};
}

// The first figure that is not as claimed: whole numbers exactly, decimals to 1e-9 relative.
std::string first_difference(const io::Json& claimed, const io::Json& found, const std::string& at) {
  if (found.is_object()) {
    for (const auto& [key, value] : found.items()) {
      if (!claimed.is_object() || !claimed.contains(key)) return at + "/" + key + " is missing";
      if (auto text = first_difference(claimed[key], value, at + "/" + key); !text.empty()) return text;
    }
    return {};
  }
  if (found.is_array()) {
    if (!claimed.is_array() || claimed.size() != found.size())
      return fmt::format("{} has another length than the {} found", at, found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      if (auto text = first_difference(claimed[i], found[i], fmt::format("{}/{}", at, i)); !text.empty())
        return text;
    return {};
  }
  if (claimed == found) return {};
  if (claimed.is_number() && found.is_number_float()) {
    const double a = claimed.get<double>();
    const double b = found.get<double>();
    if (std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b))) return {};
  }
  return fmt::format("{} is {}, but is {} when worked out again", at, claimed.dump(), found.dump());
}

// Does the objective claimed belong to the figures, and is it no better than its own bound?
std::string objective_fault(const io::Json& result, const io::Json& evaluation) {
  if (!result.contains("objective") || !result["objective"].is_object()) return "there is no objective";
  const auto& objective = result["objective"];
  const std::string kind = objective.contains("kind") && objective["kind"].is_string()
                               ? objective["kind"].get<std::string>()
                               : std::string();
  const char* key = kind == "latency" ? "latency_cycles" : kind == "energy" ? "energy_pj" : "peak_power";
  if (!objective.contains("value") || !objective["value"].is_number()) return "the objective has no value";
  const double value = objective["value"].get<double>();
  const double found = evaluation[key].get<double>();
  const double tolerance = 1e-9 * std::max(std::abs(value), std::abs(found));
  if (std::abs(value - found) > tolerance)
    return fmt::format("objective {} is {}, but {} when worked out again", kind, value, found);
  if (!result.contains("lower_bound")) return {};
  if (!result["lower_bound"].is_number()) return "lower_bound is no number";
  const double bound = result["lower_bound"].get<double>();
  if (bound > found + tolerance) return fmt::format("lower_bound {} is above the objective {}", bound, found);
  if (result.value("status", io::Json()) == "optimal" && bound < found - tolerance)
    return fmt::format("status is optimal, but lower_bound {} is below the objective {}", bound, found);
  return {};
}

}  // namespace

io::Result<Outcome> evaluate(const io::RunOptions& options) {
  const auto compiled = read_given(options);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto evaluation = chip::evaluate(problem, compiled->decisions);
  if (prints_tables(options)) print_text(compiled_text(*compiled, evaluation));
  if (auto error = write_json_output(options, evaluation_json(*compiled, evaluation))) return *error;
  return Outcome::solved;
}

io::Result<Outcome> verify(const io::RunOptions& options) {
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one result, found {} inputs", options.inputs.size()));
  io::Json claims;
  const auto compiled = read_result(options.inputs.front(), &claims);
  if (!compiled) return compiled.error();
  const auto problem = chip::make_problem(compiled->machine, compiled->network);
  const auto found =
      io::chip_evaluation_to_json(chip::evaluate(problem, compiled->decisions), compiled->network);
  std::string fault = claims.contains("evaluation")
                          ? first_difference(claims["evaluation"], found, "evaluation")
                          : "there is no evaluation";
  if (fault.empty()) fault = objective_fault(claims, found);
  if (prints_tables(options))
    print("{}\n",
          fault.empty() ? "decisions are legal, every figure holds" : "the result does not hold: " + fault);
  io::Json json = {{"schema", "nestor.compile-verification/1"},
                   {"version", NESTOR_VERSION},
                   {"verb", "verify"},
                   {"space", "chip"},
                   {"holds", fault.empty()}};
  if (!fault.empty()) json["fault"] = fault;
  if (auto error = write_json_output(options, json)) return *error;
  return fault.empty() ? Outcome::solved : Outcome::limited;
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
  return Shown{compiled_text(*compiled, evaluation), evaluation_json(*compiled, evaluation)};
}

}  // namespace nestor::app::chip_space
