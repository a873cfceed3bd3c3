// Row activations with a single bank of planes that are cut into blocks (docs/models/pim.md, section 5.2).
// Every plane starts a new row. Within a plane, the address is a part that depends on the height plus a part
// that depends on the width. A step to another plane therefore always opens a row. Other steps that leave
// their row are pairs of a height and a width: heights and widths are listed, and pairs are counted.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

class OneBankBlocks {
 public:
  /// Returns the activations of a walk over I or O, or nothing if the lists would be long. Precondition: the
  /// layout is row_aligned and fits.
  std::optional<Int> count(const RowWalk& walk, const Layout& layout);

 private:
  class Walker;
  // Distance of a step from a height or a width, and the places modulo a row from which it is made.
  struct Moves {
    Int distance = 0;
    std::vector<Int> from;
  };
  std::vector<Int> listed_;
  std::array<Moves, 2> heights_;  // at most two distances: a step may leave one more block or not
  std::array<Moves, 2> widths_;
  ResidueSet residues_;
};

}  // namespace nestor::pim
