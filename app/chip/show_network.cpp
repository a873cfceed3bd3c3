// nestor show for networks of chip operators.
#include <fmt/format.h>

#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "io/chip/network_file.h"
#include "io/table.h"
#include "io/units.h"

namespace nestor::app::chip_space {
namespace {

std::string inputs_text(const chip::Network& network, const chip::Operator& op) {
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

std::string network_text(const chip::Network& network) {
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
    table.add_row({op.name, chip::to_string(op.kind),
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

io::Result<Shown> show_network(const std::string& path) {
  const auto text = io::read_file(path, io::DocumentLimits{}.bytes);
  if (!text) return text.error();
  const auto network = io::parse_chip_network(*text, path);
  if (!network) return network.error();
  return Shown{network_text(*network), io::chip_network_to_json(*network)};
}

}  // namespace

io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options) {
  return is_program(path, io::read_head(path, io::head_bytes)) ? show_program(path, options)
                                                               : show_network(path);
}

}  // namespace nestor::app::chip_space
