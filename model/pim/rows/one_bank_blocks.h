// Row activations with a single bank, for planes that are cut into blocks (docs/models/pim.md, section 5.2).
// Every plane starts a new row, so a step to another plane always opens a row. Within a plane, the address is
// the sum of a part that depends on the height and a part that depends on the width. A step within a plane
// starts at a pair of a height and a width, which determine whether the step leaves its row. Heights and
// widths are listed; their pairs are only counted.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

class OneBankBlocks {
 public:
  /// Returns the activations of a walk over I or O, or nothing if the lists would be too long. Precondition:
  /// the layout is row_aligned and fits.
  std::optional<Int> count(const RowWalk& walk, const Layout& layout);

 private:
  class Walker;
  // Distance of a step along the height or the width, and the places, modulo a row, where it starts.
  struct Moves {
    Int distance = 0;
    std::vector<Int> from;
  };
  std::vector<Int> listed_;
  std::array<Moves, 2> heights_;  // at most two distances, since a step crosses n or n + 1 block borders
  std::array<Moves, 2> widths_;
  ResidueSet residues_;
};

}  // namespace nestor::pim
