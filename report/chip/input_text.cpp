#include "report/chip/input_text.h"

#include <fmt/format.h>

#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

std::string inputs_text(const chip::ChipNetwork& network, const chip::Operator& op) {
  std::string text;
  for (const auto& input : op.inputs) {
    if (!text.empty()) text += ", ";
    text += network.is_input(input.tensor) ? network.inputs[input.tensor].name
                                           : network.operators[network.producer(input.tensor)].name;
  }
  return text;
}

std::string matrix_text(const chip::Matrix& matrix) {
  auto text = fmt::format("{} x {}", matrix.rows, matrix.columns);
  if (matrix.groups != 1) text += fmt::format(" x {} groups", matrix.groups);
  return text;
}

}  // namespace

std::string chip_text(const chip::ChipMachine& machine) {
  const auto ideal = [](Int value, const char* unit) {
    return value == chip::left_out ? std::string("ideal") : fmt::format("{} {}", value, unit);
  };
  std::string text = fmt::format("{} ({})\n", machine.name, chip::to_string(machine.mode));
  if (!machine.source.empty()) text += machine.source + "\n";
  text +=
      fmt::format("chip      {} cores, digital unit {}, L0 {} at {}{}\n", machine.cores.count(),
                  ideal(machine.chip_alu, "operations per cycle"),
                  machine.l0.size == chip::left_out ? "unlimited" : fmt::format("{} bits", machine.l0.size),
                  ideal(machine.l0.bandwidth, "bits per cycle"), machine.l0.hidden ? ", hidden" : "");
  text +=
      fmt::format("core      {} crossbars, shift-and-add {}, L1 {} at {}\n", machine.crossbars.count(),
                  ideal(machine.core_alu, "operations per cycle"),
                  machine.l1.size == chip::left_out ? "unlimited" : fmt::format("{} bits", machine.l1.size),
                  ideal(machine.l1.bandwidth, "bits per cycle"));
  text += fmt::format("crossbar  {} x {} cells of {} bits, {} rows at once, {}, {} cycles to write a row\n",
                      machine.cell.rows, machine.cell.columns, machine.cell.cell_bits,
                      machine.cell.parallel_rows, machine.cell.type, machine.cell.write_cycles);
  return text;
}

std::string chip_network_text(const chip::ChipNetwork& network) {
  std::string text = network.name + "\n";
  for (const auto& input : network.inputs)
    text += fmt::format("input {}: {} x {} x {}\n", input.name, input.rows, input.width, input.channels);
  io::Table table({{"operator", io::Align::left},
                   {"kind", io::Align::left},
                   {"computes", io::Align::left},
                   {"rows"},
                   {"width"},
                   {"channels"},
                   {"matrix"},
                   {"operations a row"},
                   {"reads", io::Align::left}});
  Int weights = 0;
  for (const auto& op : network.operators) {
    const bool alu = op.kind == chip::OperatorKind::alu;
    if (op.kind == chip::OperatorKind::array)
      weights += op.matrix.rows * op.matrix.columns * op.matrix.groups;
    table.add_row({op.name, std::string(chip::to_string(op.kind)),
                   op.function.kind == chip::FunctionKind::unknown
                       ? std::string()
                       : std::string(chip::to_string(op.function.kind)),
                   io::count_text(op.rows), io::count_text(op.width), io::count_text(op.channels),
                   alu ? std::string() : matrix_text(op.matrix),
                   op.alu_ops > 0 ? io::count_text(op.alu_ops) : std::string(), inputs_text(network, op)});
  }
  return text + "\n" + table.to_string() +
         fmt::format("\n{} operators, {} weights\n", network.operators.size(), io::count_text(weights));
}

}  // namespace nestor::report
