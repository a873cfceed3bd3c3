#include "model/cim/search/admission.h"

#include <algorithm>

namespace nestor::cim {
namespace {

bool positive(const LayerShape& layer) {
  const auto at_least_one = [](Int value) { return value >= 1; };
  return std::all_of(layer.bounds.begin(), layer.bounds.end(), at_least_one) &&
         std::all_of(layer.stride.begin(), layer.stride.end(), at_least_one) &&
         std::all_of(layer.dilation.begin(), layer.dilation.end(), at_least_one) && layer.bits.input >= 1 &&
         layer.bits.weight >= 1 && layer.bits.output >= 1 && layer.bits.partial_sum >= 1;
}

// Multiplies without overflow; saturates at the limit that counts as too large.
class BoundedProduct {
 public:
  void multiply(Int factor) {
    if (fits_) fits_ = !__builtin_mul_overflow(value_, factor, &value_) && value_ < limit;
  }
  void multiply_sum(Int a, Int b) {
    Int sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
      fits_ = false;
    else
      multiply(sum);
  }
  bool fits() const { return fits_; }

 private:
  static constexpr Int limit = Int{1} << 62;
  Int value_ = 1;
  bool fits_ = true;
};

}  // namespace

Refusal admit(const LayerShape& layer, const Architecture& machine) {
  if (!positive(layer)) return Refusal::nonpositive;
  for (const Operand operand : all_operands) {
    const auto holds = [operand](const Memory& memory) { return memory.operands.contains(operand); };
    if (std::count_if(machine.memories.begin(), machine.memories.end(), holds) < 2)
      return Refusal::operand_without_memory;
  }
  BoundedProduct worst;
  for (const Int bound : layer.bounds) worst.multiply(bound);
  for (std::size_t direction = 0; direction < 2; ++direction)
    worst.multiply_sum(layer.stride[direction], layer.dilation[direction]);
  worst.multiply(std::max({layer.bits.input, layer.bits.weight, layer.bits.output, layer.bits.partial_sum}));
  worst.multiply_sum(machine.mvm_cycles, 4);
  worst.multiply(8);
  return worst.fits() ? Refusal::none : Refusal::too_large;
}

}  // namespace nestor::cim
