// Admission to the pim space: the accepted pairs of a layer and a machine. For these pairs, 64-bit arithmetic
// cannot overflow.
//
// Every size, address, number of accesses and number of cycles of any mapping is at most
//     macs * (stride0 + dilation0) * (stride1 + dilation1) * w * (mvm_cycles + activation_cycles + 4) * 16
// where w is the largest of all widths and row lengths in bits: a tile of I with extents f has at most
//     prod(f) * (stride0 + dilation0) * (stride1 + dilation1)
// elements; padding a plane to whole rows takes less than one more row per plane; a visit happens at most
// twice, and each access activates at most one row. Admission requires the first product, plus all latencies
// that are added once, to be below 2^62.
#pragma once

#include "model/loopnest/rules/admission.h"
#include "model/pim/machine.h"

namespace nestor::pim {

Refusal admit(const LayerShape& layer, const PimMachine& machine);

}  // namespace nestor::pim
