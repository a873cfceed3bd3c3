// A walk over DRAM rows as nested levels over addresses (docs/models/pim.md, section 5.2). Most loops move
// the address by a fixed stride; in a plane that is cut into blocks, a step along height or width may carry
// into the next block and then moves it by another amount.
#pragma once

#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

struct RowLevel {
  enum class Kind : std::uint8_t { affine, repeat, height, width };
  Kind kind = Kind::affine;
  Int count = 1;
  Int stride = 0;  ///< affine: elements; else: what a carry into the next block moves
  Int step = 0;    ///< height, width: along the coordinate
  Int period = 0;  ///< iterations after which positions repeat up to whole rows
};

// Of one level and everything inside it.
struct RowContent {
  Int grain = 1;          ///< divides the row and every stride, as long as no block is left
  Int coarse = 1;         ///< divides the row and the strides of far-reaching levels; what the others and the
  Int fine_travel = 1;    ///< innermost piece reach together; of use where it is less than `coarse`
  Int height_travel = 0;  ///< along a blocked plane's height and width, from first to last position
  Int width_travel = 0;
  Int dense = -1;  ///< how far it reaches if it touches every row between its ends and no row opens twice
                   ///< but by ascending, as long as no block is left; -1 if not so
};

struct RowLevels {
  FixedVector<RowLevel, max_loops + coordinate_count> levels;  ///< outermost first
  FixedVector<RowContent, max_loops + coordinate_count + 1>
      contents;           ///< from each level inward; last, the innermost piece
  std::size_t visit = 0;  ///< the first level inside a visit
  bool returns = false;   ///< partial sums come back: every visit but a tile's first happens twice
  bool blocked = false;   ///< the innermost piece is a line of a blocked plane
  Int span = 0;  ///< the innermost piece ascends over so many addresses beyond its first, in no block's way
  Int block_height = 1;
  Int block_width = 1;
  Int row_elements = 1;
};

/// Elements between neighbours along each coordinate, as if planes were not cut into blocks.
Coordinates strides_of(const RowWalk& walk, const Layout& layout);

/// Precondition: layout_fits(). `made` is written over; its contents only if they are asked for.
void make_levels(const RowWalk& walk, const Layout& layout, RowLevels& made, bool contents);

}  // namespace nestor::pim
