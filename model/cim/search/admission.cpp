#include "model/cim/search/admission.h"

#include <algorithm>

namespace nestor::cim {

bool figures_fit(const LayerShape& layer, Int mvm_cycles) {
  AdmittedProduct worst;
  for (const Int bound : layer.bounds) worst.times(bound);
  for (std::size_t direction = 0; direction < 2; ++direction)
    worst.times_sum(layer.stride[direction], layer.dilation[direction]);
  worst.times(std::max({layer.bits.input, layer.bits.weight, layer.bits.output, layer.bits.partial_sum}));
  worst.times_sum(mvm_cycles, 4);
  worst.times(8);
  return worst.fits();
}

Refusal admit(const LayerShape& layer, const Architecture& machine) {
  if (const auto refusal = refuse_operands(layer, machine); refusal != Refusal::none) return refusal;
  return figures_fit(layer, machine.mvm_cycles) ? Refusal::none : Refusal::too_large;
}

}  // namespace nestor::cim
