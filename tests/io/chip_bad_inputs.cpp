// Registers the kinds of bad input of the chip space (bad_inputs.h): machines, networks, decisions for a
// small network, and programs.
#include "io/bad_inputs.h"
#include "io/chip/decisions_file.h"
#include "io/chip/machine_file.h"
#include "io/chip/network_file.h"
#include "io/chip/program/program_file.h"
#include "model/chip/evaluate.h"
#include "sim/chip/functional.h"
#include "sim/chip/timing.h"

namespace nestor::tests::chip_bad_inputs {
namespace {

constexpr auto machine_text = R"({name: m, kind: chip, mode: WLM, chip: {cores: 4}, core: {crossbars: 2},
 crossbar: {size: [32, 32], parallel_rows: 8, cell_bits: 2, type: ReRAM}})";
constexpr auto network_text = R"({name: n, kind: chip-network,
 inputs: [{name: x, rows: 4, width: 4, channels: 2}], operators: [
 {name: conv, kind: array, rows: 4, width: 4, channels: 8, in_channels: 2, row_in: 8, matrix: {rows: 18, columns: 8}, inputs: [{from: x, need: [1, 1, 1]}]},
 {name: relu, kind: alu, rows: 4, width: 4, channels: 8, in_channels: 8, row_in: 32, alu_ops: 32, inputs: [{from: conv, need: [1, 0, 1]}]}]})";

const BadInputKind machine("chip-machine", "in.yaml", [](const std::string& input, const std::string& file) {
  return message_of(io::parse_chip_machine(input, file));
});
// Also splits the network for the small machine. The message is the reason if the network does not fit.
const BadInputKind network("chip-network", "in.yaml", [](const std::string& input, const std::string& file) {
  const auto chip = io::parse_chip_machine(machine_text, "machine");
  auto read = io::parse_chip_network(input, file);
  if (!read) return message_of(read);
  if (const auto refused = chip::admit(*chip, *read)) return refused->message;
  const auto refused = chip::split(*chip, *read);
  return refused ? refused->message : std::string();
});
const BadInputKind decisions("chip-decisions", "in.yaml",
                             [](const std::string& input, const std::string& file) {
                               const auto chip = io::parse_chip_machine(machine_text, "machine");
                               const auto operators = io::parse_chip_network(network_text, "network");
                               const auto document = io::Document::parse(input, file);
                               if (!document) return document.error().to_string();
                               io::Reading reading;
                               const auto read = io::read_chip_decisions_node(document->root(), *operators,
                                                                              chip->mode, reading);
                               if (reading.failed()) return reading.error().to_string();
                               const auto problem = chip::make_problem(*chip, *operators);
                               const auto violation = chip::find_violation(problem, read);
                               return violation ? violation->message : std::string();
                             });
// Reads a program and runs it on the small machine.
const BadInputKind program("chip-program", "in.txt", [](const std::string& input, const std::string& file) {
  const auto read = io::parse_program(input, file);
  if (!read) return message_of(read);
  const auto chip = io::parse_chip_machine(machine_text, "machine");
  const sim::chip::WalkLimits limits = {.operations = 100'000, .group = 1000};
  const auto timing = sim::chip::simulate_timing(*read, *chip, limits);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&timing)) return fault->message;
  const auto numbers = sim::chip::execute(*read, *chip, limits);
  const auto* fault = std::get_if<sim::chip::Fault>(&numbers);
  return fault != nullptr ? fault->message : std::string();
});

}  // namespace
}  // namespace nestor::tests::chip_bad_inputs
