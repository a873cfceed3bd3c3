// The door of the cim model: which (layer, architecture) pairs it accepts. Behind the door plain 64-bit
// arithmetic cannot overflow, so neither the evaluator nor the search checks again.
//
// Every size, traffic figure and latency of any mapping is at most
//     macs * (stride0 + dilation0) * (stride1 + dilation1) * max bits * (mvm_cycles + 4) * 8
// (a tile of I with extents f has at most prod(f) * (stride + dilation) per spatial direction elements; a
// transfer takes at most its bits in cycles, is repeated at most macs / prod(f) times, and there are three
// operands and two directions). The door asks for this product to stay below 2^62.
#pragma once

#include "model/loopnest/architecture.h"
#include "model/loopnest/rules/admission.h"

namespace nestor::cim {

Refusal admit(const LayerShape& layer, const Architecture& machine);
/// Of this the product alone, of a layer whose figures are positive.
bool figures_fit(const LayerShape& layer, Int mvm_cycles);

}  // namespace nestor::cim
