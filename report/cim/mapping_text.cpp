#include "report/cim/mapping_text.h"

#include <fmt/format.h>

#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::report {
namespace {

using io::Align;
using io::percent_text;
using io::size_text;
using io::Table;

// Returns the loops, indented by depth. The column of an operand names the memory of its block at the
// outermost loop of the block.
std::string nest_text(const Mapping& mapping, const NamedArchitecture& architecture) {
  Table table({{"for, from the outside in", Align::left},
               {"I in", Align::left},
               {"W in", Align::left},
               {"O in", Align::left}});
  for (std::size_t i = 0; i < mapping.loops.size(); ++i) {
    const Loop& loop = mapping.loops[i];
    std::vector<std::string> row = {std::string(2 * i, ' ') +
                                    fmt::format("{} in 0..{}", letter(loop.dim), loop.factor - 1)};
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      const bool begins = i == 0 || mapping.loops[i - 1].at[x] != loop.at[x];
      row.push_back(begins ? architecture.memory_names[loop.at[x]] : "|");
    }
    table.add_row(std::move(row));
  }
  return mapping.loops.empty() ? "no temporal loops: everything runs in parallel\n" : table.to_string();
}

std::string axes_text(const Mapping& mapping, const NamedArchitecture& architecture) {
  Table table({{"in parallel", Align::left}, {"factors", Align::left}, {"lanes"}, {"of"}, {"used"}});
  for (std::size_t a = 0; a < architecture.machine.axes.size(); ++a) {
    std::string factors;
    const Int lanes = product_of(mapping.spatial[a]);
    for (const Dim dim : all_dims) {
      const Int factor = mapping.spatial[a][index_of(dim)];
      if (factor > 1) factors += fmt::format("{}{} {}", factors.empty() ? "" : " x ", letter(dim), factor);
    }
    const Int size = architecture.machine.axes[a].size;
    table.add_row({architecture.axis_names[a], factors.empty() ? "-" : factors, fmt::format("{}", lanes),
                   fmt::format("{}", size),
                   percent_text(static_cast<double>(lanes) / static_cast<double>(size))});
  }
  return table.to_string();
}

std::string tile_cell(const Mapping& mapping, const cim::CimEvaluation& evaluation,
                      const Architecture& machine, std::size_t memory, Operand operand) {
  if (!machine.memories[memory].operands.contains(operand)) return "";
  if (!evaluation.used[memory].contains(operand)) return "bypassed";
  if (machine.home(operand) == memory) return "home";
  const auto size = size_text(evaluation.size_bits[memory][index_of(operand)]);
  return mapping.double_buffered[memory].contains(operand) ? "2 x " + size : size;
}

std::string memories_text(const Mapping& mapping, const cim::CimEvaluation& evaluation,
                          const NamedArchitecture& architecture) {
  const auto& machine = architecture.machine;
  Table table({{"memory", Align::left},
               {"tile of I"},
               {"tile of W"},
               {"tile of O"},
               {"in use"},
               {"capacity"},
               {"full"}});
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    std::vector<std::string> row = {architecture.memory_names[m]};
    for (const Operand operand : all_operands)
      row.push_back(tile_cell(mapping, evaluation, machine, m, operand));
    const Int usage = evaluation.usage_bits[m];
    const Int capacity = machine.memories[m].capacity;
    row.push_back(usage > 0 ? size_text(usage) : "");
    row.push_back(size_text(capacity));
    row.push_back(usage > 0 && capacity != unlimited_capacity
                      ? percent_text(static_cast<double>(usage) / static_cast<double>(capacity))
                      : "");
    table.add_row(std::move(row));
  }
  return table.to_string();
}

}  // namespace

std::string mapping_text(const Mapping& mapping, const cim::CimEvaluation& evaluation,
                         const NamedArchitecture& architecture) {
  std::string text = nest_text(mapping, architecture);
  if (!architecture.machine.axes.empty()) text += "\n" + axes_text(mapping, architecture);
  return text + "\n" + memories_text(mapping, evaluation, architecture);
}

}  // namespace nestor::report
