#include "model/loopnest/canonical.h"

namespace nestor {

std::array<OperandSet, max_memories> memories_with_loops(const Mapping& mapping) {
  std::array<OperandSet, max_memories> used{};
  for (const Loop& loop : mapping.loops)
    for (const Operand operand : all_operands) used[loop.at[index_of(operand)]].insert(operand);
  return used;
}

void normalise(Mapping& mapping, const LayerShape& layer, const Hierarchy& machine) {
  const auto used_before = memories_with_loops(mapping);
  for (std::size_t i = mapping.loops.size(); i-- > 0;)
    if (mapping.loops[i].factor == 1) mapping.loops.erase_at(i);

  // Loops are processed from the inside out, so that the next inner loop already has its final memory, which
  // is the next used memory inward.
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    auto inward = static_cast<std::uint8_t>(machine.innermost(operand));
    for (std::size_t i = mapping.loops.size(); i-- > 0;) {
      Loop& loop = mapping.loops[i];
      const bool ends_block = loop.at[x] != inward;
      if (ends_block && !layer.is_relevant(loop.dim, operand)) loop.at[x] = inward;
      inward = loop.at[x];
    }
  }

  const auto used_after = memories_with_loops(mapping);
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands) {
      const bool emptied = used_before[m].contains(operand) && !used_after[m].contains(operand);
      if (emptied && m != machine.innermost(operand)) mapping.double_buffered[m].erase(operand);
    }
}

}  // namespace nestor
