// A walk over DRAM rows as nested levels over addresses (docs/models/pim.md, section 5.2). Most loops move
// the address by a fixed stride. In a plane that is cut into blocks, a step along height or width may carry
// into the next block, which moves the address by another distance.
#pragma once

#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

struct RowLevel {
  enum class Kind : std::uint8_t { affine, repeat, height, width };
  Kind kind = Kind::affine;
  Int count = 1;
  Int stride = 0;  ///< distance in elements; affine: of a step; otherwise: of a carry into the next block
  Int step = 0;    ///< height, width: step along the coordinate
  Int period = 0;  ///< number of iterations after which positions repeat, except for whole rows
};

// Properties of a level and everything inside it.
struct RowContent {
  Int grain = 1;          ///< common divisor of the row and of every stride within a block
  Int coarse = 1;         ///< common divisor of the row and of the strides of the far-reaching levels
  Int fine_travel = 1;    ///< total reach of all other levels and the innermost piece; useful if less than
                          ///< `coarse`
  Int height_travel = 0;  ///< movement along height and width of a blocked plane, from the first to the last
                          ///< place
  Int width_travel = 0;
  Int dense = -1;  ///< distance between the ends if every row between them is touched and no row is opened
                   ///< twice, as long as the walk stays in its block; otherwise -1
};

struct RowLevels {
  FixedVector<RowLevel, max_loops + coordinate_count> levels;  ///< outermost first
  FixedVector<RowContent, max_loops + coordinate_count + 1>
      contents;           ///< content of each level and all levels inside it; the last one is the innermost
                          ///< piece
  std::size_t visit = 0;  ///< first level inside a visit
  bool returns = false;   ///< true if partial sums return: every visit to a tile except the first happens
                          ///< twice
  bool blocked = false;   ///< true if the innermost piece is a line of a blocked plane
  Int span = 0;           ///< addresses of the innermost piece beyond its first, ignoring blocks
  Int block_height = 1;
  Int block_width = 1;
  Int row_elements = 1;
};

/// Returns the distances in elements between neighbours along each coordinate, ignoring blocks.
Coordinates strides_of(const RowWalk& walk, const Layout& layout);

/// Writes the levels of a walk to `made`, with `contents` if requested. Precondition: layout_fits().
void make_levels(const RowWalk& walk, const Layout& layout, RowLevels& made, bool contents);

}  // namespace nestor::pim
