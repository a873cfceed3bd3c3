// Row activations with a single bank of planes that are cut into blocks (docs/models/pim.md, section 5.2).
// Every plane begins a row, and within one the address is a part that depends on the height plus a part that
// depends on the width. So a step that goes to another plane opens a row always, and of the others those that
// leave their row are pairs of a height and a width: heights are listed, widths are listed, pairs are
// counted.
#pragma once

#include <optional>

#include "model/pim/rows/progressions.h"

namespace nestor::pim {

class OneBankBlocks {
 public:
  /// Activations of a walk over I or O; none where the lists would be long. Precondition: the layout is
  /// row_aligned and fits.
  std::optional<Int> count(const RowWalk& walk, const Layout& layout);

 private:
  class Walker;
  // How far a step moves from a height or a width, and the places modulo a row from which it does.
  struct Moves {
    Int distance = 0;
    std::vector<Int> from;
  };
  std::vector<Int> listed_;
  std::array<Moves, 2>
      heights_;  // as a step may leave one block more or not, there are two distances at most
  std::array<Moves, 2> widths_;
  ResidueSet residues_;
};

}  // namespace nestor::pim
