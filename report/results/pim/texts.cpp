#include "report/results/pim/texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/pim/dataflow.h"
#include "report/results/violation_text.h"
#include "report/tables/table.h"
#include "report/tables/units.h"

namespace nestor::io::pim {
namespace {

using nestor::pim::PimEvaluation;
using nestor::pim::PimMapping;
using nestor::pim::PimRule;

std::string factors_text(const Extents& factors) {
  std::string text;
  for (const Dim dim : all_dims)
    if (factors[index_of(dim)] > 1)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", letter(dim), factors[index_of(dim)]);
  return text.empty() ? "(none)" : text;
}

// Returns the loops at which this memory is the innermost one that contains a block, innermost loop first.
// For even blocks, these are the loops of the memory's level.
std::string temporal_text(const PimMapping& mapping, std::size_t memory) {
  std::string text;
  const auto& loops = mapping.nest.loops;
  for (std::size_t i = loops.size(); i-- > 0;) {
    const auto level = *std::max_element(loops[i].at.begin(), loops[i].at.end());
    if (level == memory)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", letter(loops[i].dim), loops[i].factor);
  }
  return text.empty() ? "(none)" : text;
}

// Returns the nest level by level. Level 0 is the innermost.
std::string nest_text(const PimMapping& mapping, const NamedPimMachine& named) {
  std::string text;
  std::size_t level = 0;
  std::size_t axis = named.machine.axes.size();
  const auto add_axes = [&](std::size_t begin) {
    for (; axis > begin; --axis)
      text +=
          fmt::format("  {}: {}\n", named.axis_names[axis - 1], factors_text(mapping.nest.spatial[axis - 1]));
  };
  for (std::size_t m = named.machine.memories.size(); m-- > 0; ++level) {
    text += fmt::format("{} (m={}):\n", named.memory_names[m], level);
    const std::size_t inner_axes = named.machine.memories[m].axes_above;
    add_axes(inner_axes);
    text += fmt::format("  Temporal: {}\n", temporal_text(mapping, m));
  }
  if (axis > 0) {
    text += "Outside:\n";
    add_axes(0);
  }
  return text + "within each level, the innermost loop is first\n";
}

std::string operands_text(const PimMapping& mapping, const PimEvaluation& evaluation,
                          const NamedPimMachine& named) {
  Table table(
      {{"operand", Align::left}, {"stored in", Align::left}, {"layout", Align::left}, {"rows opened"}});
  for (const Operand operand : all_operands) {
    std::string stored;
    for (std::size_t m = 0; m < named.memory_names.size(); ++m)
      if (evaluation.used[m].contains(operand))
        stored += (stored.empty() ? "" : ", ") + named.memory_names[m];
    const auto x = index_of(operand);
    const bool rows = named.machine.has_rows(operand);
    table.add_row({std::string(1, letter(operand)), stored,
                   rows ? layout_text(mapping.layouts[x], operand) : "-",
                   rows ? count_text(evaluation.row_activations[x]) : "-"});
  }
  return table.to_string();
}

std::string memories_text(const PimEvaluation& evaluation, const NamedPimMachine& named) {
  const auto cycles = static_cast<double>(evaluation.latency_cycles);
  Table table(
      {{"memory", Align::left}, {"cycles"}, {"busy"}, {"in use"}, {"capacity"}, {"full"}, {"of bandwidth"}});
  for (std::size_t m = 0; m < named.memory_names.size(); ++m) {
    const Memory& memory = named.machine.memories[m];
    const Int busy =
        memory.shared_port ? evaluation.memory_cycles[m].shared : evaluation.memory_cycles[m].per_operand;
    const double bandwidth = nestor::pim::bandwidth_share(memory, evaluation, m);
    const Int used = evaluation.usage_bits[m];
    table.add_row({named.memory_names[m], count_text(busy), percent_text(static_cast<double>(busy) / cycles),
                   used > 0 ? size_text(used) : "",
                   memory.capacity == unlimited_capacity ? "unlimited" : size_text(memory.capacity),
                   used > 0 && memory.capacity != unlimited_capacity
                       ? percent_text(static_cast<double>(used) / static_cast<double>(memory.capacity))
                       : "",
                   bandwidth > 0 ? percent_text(bandwidth) : ""});
  }
  return table.to_string();
}

}  // namespace

std::string violation_text(const nestor::pim::PimViolation& violation, const PimMapping& mapping,
                           const NamedPimMachine& named) {
  const char operand = letter(violation.operand);
  switch (violation.rule) {
    case PimRule::nest:
      return io::violation_text(violation.nest, mapping.nest, named);
    case PimRule::dim_twice:
      return fmt::format(
          "dimension {} has a factor on axis '{}' and on another axis of dim_once, expected one at most",
          letter(violation.dim), named.axis_names[violation.axis]);
    case PimRule::stored_nowhere:
      return fmt::format("stored: '{}' does not hold operand {}", named.memory_names[violation.memory],
                         operand);
    case PimRule::stored_capacity:
      return fmt::format("'{}' needs {} bits including the stored tiles, but holds {}",
                         named.memory_names[violation.memory], violation.found, violation.limit);
    case PimRule::uneven:
      return "blocks are uneven: no level per loop yields them, but the architecture specifies blocks: even";
    case PimRule::layout_kind:
      return fmt::format("layout of {} is hwc, expected sequential or row_aligned", operand);
    case PimRule::layout_block:
      return fmt::format("layout of {}: block {} is {}, expected a divisor of {}", operand,
                         violation.along_width ? "width" : "height", violation.found, violation.limit);
  }
  return "";
}

std::string mapping_text(const LayerShape& layer, const PimMapping& mapping, const PimEvaluation& evaluation,
                         const NamedPimMachine& named) {
  Int lanes = 1;
  Int places = 1;
  for (std::size_t a = 0; a < named.machine.axes.size(); ++a) {
    places *= named.machine.axes[a].size;
    lanes *= product_of(mapping.nest.spatial[a]);
  }
  return fmt::format("{}\n{}\n{}\n{}, {} of the lanes in use\n", nest_text(mapping, named),
                     operands_text(mapping, evaluation, named), memories_text(evaluation, named),
                     to_string(dataflow_of(layer, named.machine, mapping)),
                     percent_text(static_cast<double>(lanes) / static_cast<double>(places)));
}

}  // namespace nestor::io::pim
