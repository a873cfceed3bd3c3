// Admission to the cim model: the accepted pairs of a layer and an architecture. For these pairs, 64-bit
// arithmetic cannot overflow, so the evaluator and the search do not check for overflow.
//
// Every size, traffic figure and latency of any mapping is at most
//     macs * (stride0 + dilation0) * (stride1 + dilation1) * w * (mvm_cycles + 4) * 8
// where w is the largest width in bits: a tile of I with extents f has at most
//     prod(f) * (stride0 + dilation0) * (stride1 + dilation1)
// elements; a transfer takes at most as many cycles as bits and is repeated at most macs / prod(f) times;
// there are three operands and two directions. Admission requires the first product to be below 2^62.
#pragma once

#include "model/loopnest/architecture.h"
#include "model/loopnest/rules/admission.h"

namespace nestor::cim {

Refusal admit(const LayerShape& layer, const Architecture& machine);
/// True if the first product above is below 2^62. The bounds, strides, dilations and widths of the layer must
/// be positive.
bool figures_fit(const LayerShape& layer, Int mvm_cycles);

}  // namespace nestor::cim
