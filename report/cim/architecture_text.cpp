#include "report/cim/architecture_text.h"

#include <fmt/format.h>

#include "report/network_text.h"
#include "report/part_costs_text.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Align;
using io::Column;
using io::count_text;
using io::figure_text;
using io::size_text;
using io::Table;

std::string operand_letters(OperandSet operands) {
  std::string text;
  for (const Operand operand : all_operands)
    if (operands.contains(operand))
      text += text.empty() ? fmt::format("{}", letter(operand)) : fmt::format(" {}", letter(operand));
  return text;
}

std::string dim_letters(DimSet dims) {
  std::string text;
  for (const Dim dim : all_dims)
    if (dims.contains(dim))
      text += text.empty() ? fmt::format("{}", letter(dim)) : fmt::format(" {}", letter(dim));
  return text;
}

}  // namespace

std::string architecture_text(const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  bool energies = false;
  for (const Memory& memory : machine.memories) energies |= memory.read_energy > 0 || memory.write_energy > 0;

  std::vector<Column> columns = {{"from the outside in", Align::left},
                                 {"holds", Align::left},
                                 {"capacity"},
                                 {"b/cycle"},
                                 {"buffers"},
                                 {"instances"}};
  if (energies) {
    columns.push_back({"read pJ/b"});
    columns.push_back({"write pJ/b"});
  }
  const bool areas = lists_areas(architecture);
  if (areas) columns.push_back({"area mm2"});
  Table table(std::move(columns));
  Int instances = 1;
  std::size_t axis = 0;
  const auto indented = [&](const std::string& name) { return std::string(2 * axis, ' ') + name; };
  const auto add_axes_until = [&](std::size_t end) {
    for (; axis < end; ++axis) {
      const auto name = fmt::format("x {} {}", machine.axes[axis].size, architecture.axis_names[axis]);
      table.add_row({indented(name), "spreads " + dim_letters(machine.axes[axis].dims)});
      instances *= machine.axes[axis].size;
    }
  };
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const Memory& memory = machine.memories[m];
    add_axes_until(memory.axes_above);
    std::vector<std::string> row = {indented(architecture.memory_names[m]),
                                    operand_letters(memory.operands),
                                    size_text(memory.capacity),
                                    fmt::format("{}", memory.bandwidth),
                                    memory.double_buffer ? "1 or 2" : "1",
                                    count_text(instances)};
    if (energies) {
      row.push_back(figure_text(memory.read_energy));
      row.push_back(figure_text(memory.write_energy));
    }
    if (areas) row.push_back(area_text(architecture, m));
    table.add_row(std::move(row));
  }
  add_axes_until(machine.axes.size());
  std::vector<std::string> compute = {
      indented("compute"),  fmt::format("{} cycles a product", machine.mvm_cycles), "", "", "",
      count_text(instances)};
  if (areas && energies) compute.insert(compute.end(), 2, "");
  if (areas) compute.push_back(area_text(architecture.compute_area));
  table.add_row(std::move(compute));

  std::string text = architecture.name + "\n";
  if (!architecture.source.empty()) text += "source: " + architecture.source + "\n";
  text += "\n" + table.to_string();
  text += part_costs_text(machine, architecture);
  if (machine.mac_energy > 0)
    text += fmt::format("\nmultiply-accumulate {} pJ", figure_text(machine.mac_energy));
  if (machine.leakage > 0) text += fmt::format("\nleakage {} pJ/cycle", figure_text(machine.leakage));
  if (machine.clock > 0) text += fmt::format("\nclock {} MHz", figure_text(machine.clock / 1e6));
  if (text.back() != '\n') text += '\n';
  return text + untranslated_text(architecture.untranslated);
}

}  // namespace nestor::report
