// Lower bound on the row activations of an operand that is still in DRAM, when they cannot be counted yet
// (docs/models/pim.md, section 7.3).
#pragma once

#include <algorithm>

#include "model/pim/search/path.h"

namespace nestor::pim {

/// Lower bound on the activations of one operand's tensor.
class RowFloor {
 public:
  RowFloor() = default;
  /// `extents` are the extents of the part of the layer in one DRAM.
  RowFloor(const LayerShape& layer, const Memory& dram, Operand operand, const Extents& extents);
  /// Returns the bound for the loops placed outside so far.
  Int activations(const Path& path, const Lattices& lattices, const LayerShape& layer) const;

 private:
  Operand operand_ = Operand::I;
  Int rows_ = 0;
  Int banks_ = 1;
};

}  // namespace nestor::pim
