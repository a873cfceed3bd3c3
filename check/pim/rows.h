// DRAM rows (docs/models/pim.md, section 5): exact counts of the rows that one operand's transfer out of DRAM
// opens under a layout, and lower bounds that are cheap to compute.
#pragma once

#include <tbb/concurrent_hash_map.h>

#include "check/pim/machine.h"

namespace nestor::check::pim {

/// Coordinates in a tensor: I (N, C, H, W), W (K, C, R, S), O (N, K, P, Q), slowest first.
using Coordinates = std::array<Int, 4>;

/// Visits of a tile, in the order of the outer loops.
struct Walk {
  struct Loop {
    std::size_t coordinate = 4;  ///< index of the coordinate; 4: repeats the same visits
    Int count = 1;
    Int step = 0;  ///< step of the tile along the coordinate
  };
  Operand operand = I;
  Coordinates size{};
  Coordinates tile{};
  std::vector<Loop> loops;  ///< outermost first
  Int row = 1;              ///< elements in one row
  Int banks = 1;
};

/// Returns the extents of a tile along the coordinates of its tensor.
Coordinates box_of(const Layer& layer, Operand operand, const Extents& tile);
/// Returns the coordinate along which a loop moves an operand's tile, and the distance that it moves per
/// index. The coordinate is 4 if the loop does not move the tile.
std::pair<std::size_t, Int> along(const Layer& layer, Operand operand, std::size_t dim);

/// Returns all layouts that a machine allows for a tensor of this size. There is at least one.
std::vector<Layout> layouts_for(const CheckedPimMachine& machine, Operand operand, const Coordinates& size);

/// Returns the exact number of opened rows.
Int rows_opened(const Walk& walk, const Layout& layout);

/// Lower bound, over all layouts, on the rows that one pass through a tile opens, at any position and after
/// any earlier accesses.
Int floor_of_pass(const Walk& walk, const CheckedPimMachine& machine);
/// Lower bound on the rows opened by a pass, in any order, through those places of a tile that are read.
Int floor_of_sweep(const Walk& walk, const Layer& layer, const CheckedPimMachine& machine,
                   const Extents& tile);
/// Lower bound on the number of distinct elements of a tile that are read.
Int elements_read(const Layer& layer, Operand operand, const Extents& tile);

/// Computes the minimum number of rows over all layouts, or the number for some layout if that is at most
/// `enough`. Counts are cached.
class FewestRows {
 public:
  Int operator()(const Walk& walk, const CheckedPimMachine& machine, Int enough);

 private:
  tbb::concurrent_hash_map<std::string, Int> counted_;
};

}  // namespace nestor::check::pim
