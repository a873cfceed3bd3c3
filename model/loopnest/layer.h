// One layer as a perfect loop nest (model-cim, section 1): bounds, strides, dilations and bit widths. Plain
// data without names or heap; workload/network.h adds what a person needs.
#pragma once

#include "model/loopnest/dims.h"

namespace nestor {

struct BitWidths {
  Int input = 8;
  Int weight = 8;
  Int output = 8;        ///< of a finished output element
  Int partial_sum = 32;  ///< of an output element while a reduction is open
  friend constexpr bool operator==(const BitWidths&, const BitWidths&) = default;
};

struct LayerShape {
  Extents bounds = unit_extents;
  std::array<Int, 2> stride = {1, 1};    ///< along P and Q
  std::array<Int, 2> dilation = {1, 1};  ///< along R and S
  BitWidths bits;

  constexpr Int bound(Dim dim) const { return bounds[index_of(dim)]; }
  friend constexpr bool operator==(const LayerShape&, const LayerShape&) = default;
};

}  // namespace nestor
