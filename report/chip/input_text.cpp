#include "report/chip/input_text.h"

#include <fmt/format.h>

#include "report/keys/cim.h"
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

std::string noc_text(const chip::Noc& noc) {
  std::string text(chip::to_string(noc.kind));
  if (noc.kind == chip::NocKind::mesh || noc.kind == chip::NocKind::h_tree)
    text += fmt::format(", {} {} a hop", noc.hop_cycles, noc.hop_cycles == 1 ? "cycle" : "cycles");
  return text;
}

// Returns the energies of the parts, without those that are 0.
std::string energies_text(const chip::Energies& energy) {
  struct Part {
    const char* name;
    double value;
    const char* per;
  };
  const Part parts[] = {{"crossbar", energy.crossbar, "active crossbar and cycle"},
                        {"adc", energy.adc, "active crossbar and cycle"},
                        {"dac", energy.dac, "active crossbar and cycle"},
                        {"alu", energy.alu, "operation"},
                        {"l0", energy.l0, "bit"},
                        {"l1", energy.l1, "bit"},
                        {"off_chip", energy.off_chip, "bit"},
                        {"noc", energy.noc, "bit and cycle of cost"},
                        {key::write, energy.write, "row"},
                        {"static", energy.leakage, "cycle"}};
  std::string text;
  for (const Part& part : parts)
    if (part.value > 0)
      text += fmt::format("energy    {} {:.6g} pJ per {}\n", part.name, part.value, part.per);
  return text.empty() ? "energy    not given\n" : text;
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
  text +=
      fmt::format("converter DAC {}, ADC {}\n", ideal(machine.cell.dac, "bits"),
                  machine.cell.adc == chip::left_out ? "exact" : fmt::format("{} bits", machine.cell.adc));
  text += fmt::format("network   of cores {}, of crossbars {}\n", noc_text(machine.chip_noc),
                      noc_text(machine.core_noc));
  if (machine.off_chip_bandwidth != chip::left_out)
    text += fmt::format("off chip  {} bits per cycle\n", machine.off_chip_bandwidth);
  if (machine.clock > 0) text += fmt::format("clock     {:.6g} MHz\n", machine.clock / 1e6);
  return text + energies_text(machine.energy);
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
