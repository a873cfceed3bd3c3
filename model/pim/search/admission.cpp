#include "model/pim/search/admission.h"

#include <algorithm>

#include "model/pim/rows/row_walk.h"

namespace nestor::pim {
namespace {

// Equation (1.1) of docs/models/pim.md.
bool fits(const LayerShape& layer, const PimMachine& machine) {
  Int row = 1;
  Int activation = 0;
  for (const Memory& memory : machine.memories) {
    row = std::max(row, memory.row);
    activation = std::max(activation, memory.activation_cycles);
  }
  AdmittedProduct worst;
  for (const Int bound : layer.bounds) worst.times(bound);
  for (std::size_t direction = 0; direction < 2; ++direction)
    worst.times_sum(layer.stride[direction], layer.dilation[direction]);
  const auto& bits = layer.bits;
  worst.times(std::max({bits.input, bits.weight, bits.output, bits.partial_sum, row}));
  const auto cycles = checked_add(machine.mvm_cycles, activation);
  if (!cycles) return false;
  worst.times_sum(*cycles, 4);
  worst.times(16);
  worst.plus(machine.reduction_latency);
  for (const Memory& memory : machine.memories) worst.plus(memory.access_latency);
  return worst.fits();
}

}  // namespace

Refusal admit(const LayerShape& layer, const PimMachine& machine) {
  if (const auto refusal = refuse_operands(layer, machine); refusal != Refusal::none) return refusal;
  if (layer.bound(Dim::G) != 1) return Refusal::groups;
  if (!fits(layer, machine)) return Refusal::too_large;
  for (const Operand operand : all_operands) {
    if (!machine.has_rows(operand)) continue;
    if (layer.bits.widest(operand) > machine.memories[machine.home(operand)].row)
      return Refusal::row_too_short;
    if (!has_coordinates(layer, operand)) return Refusal::no_coordinates;
  }
  return Refusal::none;
}

}  // namespace nestor::pim
