#include "model/pim/search/admission.h"

#include <algorithm>

namespace nestor::pim {
namespace {

bool all_positive(const LayerShape& layer) {
  for (const Int bound : layer.bounds)
    if (bound < 1) return false;
  const auto& bits = layer.bits;
  return std::min({layer.stride[0], layer.stride[1], layer.dilation[0], layer.dilation[1], bits.input,
                   bits.weight, bits.output, bits.partial_sum}) > 0;
}

class Product {
 public:
  void times(Int factor) { value_ = value_ ? checked_multiply(*value_, factor) : std::nullopt; }
  void plus(Int term) { value_ = value_ ? checked_add(*value_, term) : std::nullopt; }
  bool below(Int limit) const { return value_ && *value_ < limit; }

 private:
  std::optional<Int> value_ = 1;
};

bool fits(const LayerShape& layer, const Machine& machine) {
  Int row = 1;
  Int activation = 0;
  for (const Memory& memory : machine.memories) {
    row = std::max(row, memory.row);
    activation = std::max(activation, memory.activation_cycles);
  }
  Product product;
  for (const Int bound : layer.bounds) product.times(bound);
  for (std::size_t direction = 0; direction < 2; ++direction) {
    const auto reach = checked_add(layer.stride[direction], layer.dilation[direction]);
    if (!reach) return false;
    product.times(*reach);
  }
  const auto& bits = layer.bits;
  product.times(std::max({bits.input, bits.weight, bits.output, bits.partial_sum, row}));
  const auto cycles = checked_add(machine.mvm_cycles, activation);
  if (!cycles || *cycles > std::numeric_limits<Int>::max() - 4) return false;
  product.times(*cycles + 4);
  product.times(16);
  product.plus(machine.reduction_latency);
  for (const Memory& memory : machine.memories) product.plus(memory.access_latency);
  return product.below(Int{1} << 62U);
}

}  // namespace

Refusal admit(const LayerShape& layer, const Machine& machine) {
  if (!all_positive(layer)) return Refusal::nonpositive;
  for (const Operand operand : all_operands) {
    int memories = 0;
    for (const Memory& memory : machine.memories)
      memories += static_cast<int>(memory.operands.contains(operand));
    if (memories < 2) return Refusal::operand_without_memory;
  }
  if (!fits(layer, machine)) return Refusal::too_large;
  for (const Operand operand : all_operands)
    if (machine.has_rows(operand) && layer.bits.widest(operand) > machine.memories[machine.home(operand)].row)
      return Refusal::row_too_short;
  return Refusal::none;
}

}  // namespace nestor::pim
