#include "model/loopnest/rules/admission.h"

#include <algorithm>

namespace nestor {
namespace {

bool is_positive(const LayerShape& layer) {
  const auto& bits = layer.bits;
  return *std::min_element(layer.bounds.begin(), layer.bounds.end()) > 0 &&
         std::min({layer.stride[0], layer.stride[1], layer.dilation[0], layer.dilation[1], bits.input,
                   bits.weight, bits.output, bits.partial_sum}) > 0;
}

}  // namespace

Refusal refuse_operands(const LayerShape& layer, const Hierarchy& machine) {
  if (!is_positive(layer)) return Refusal::nonpositive;
  for (const Operand operand : all_operands) {
    const auto holds = [operand](const Memory& memory) { return memory.operands.contains(operand); };
    if (std::count_if(machine.memories.begin(), machine.memories.end(), holds) < 2)
      return Refusal::operand_without_memory;
  }
  return Refusal::none;
}

}  // namespace nestor
