#include "report/pim/machine_text.h"

#include <fmt/format.h>

#include "report/part_costs_text.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Align;
using io::size_text;
using io::Table;

std::string operands_text(const Memory& memory) {
  std::string text;
  for (const auto operand : all_operands)
    if (memory.operands.contains(operand)) text += letter(operand);
  return text;
}

}  // namespace

std::string machine_text(const io::pim::NamedPimMachine& named) {
  const auto& machine = named.machine;
  Table table({{"", Align::left},
               {"name", Align::left},
               {"operands", Align::left},
               {"capacity"},
               {"bits/cycle"},
               {"ports", Align::left},
               {"rows", Align::left}});
  std::size_t axis = 0;
  const auto add_axes_before = [&](std::size_t end) {
    for (; axis < end; ++axis)
      table.add_row({"axis", named.axis_names[axis], fmt::format("x {}", machine.axes[axis].size)});
  };
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const Memory& memory = machine.memories[m];
    add_axes_before(memory.axes_above);
    const auto rows = memory.row == 0
                          ? std::string()
                          : fmt::format("{}, {} bank{}, {} cycles to open", size_text(memory.row),
                                        memory.banks, memory.banks == 1 ? "" : "s", memory.activation_cycles);
    table.add_row({"memory", named.memory_names[m], operands_text(memory),
                   memory.capacity == unlimited_capacity ? "unlimited" : size_text(memory.capacity),
                   fmt::format("{}", memory.bandwidth), memory.shared_port ? "shared" : "per operand", rows});
  }
  add_axes_before(machine.axes.size());
  const std::string costs = part_costs_text(machine, named);
  return fmt::format("{} (pim), {} blocks\n\n{}{}{}", named.name,
                     nestor::pim::block_rules.word(machine.blocks), table.to_string(), costs,
                     costs.empty() ? "" : "\n");
}

}  // namespace nestor::report
