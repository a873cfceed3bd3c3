// DRAM rows (docs/models/pim.md, section 5): what one operand's transfer out of DRAM opens under a layout,
// counted exactly, and floors under it that cost next to nothing.
#pragma once

#include <tbb/concurrent_hash_map.h>

#include "check/pim/machine.h"

namespace nestor::check::pim {

/// Of a tensor: I (N, C, H, W), W (K, C, R, S), O (N, K, P, Q), slowest first.
using Coordinates = std::array<Int, 4>;

/// Visits of a tile, as the loops outside run.
struct Walk {
  struct Loop {
    std::size_t coordinate = 4;  ///< 4: the same visits again
    Int count = 1;
    Int step = 0;  ///< of the tile along the coordinate
  };
  Operand operand = I;
  Coordinates size{};
  Coordinates tile{};
  std::vector<Loop> loops;  ///< outermost first
  Int row = 1;              ///< elements in one
  Int banks = 1;
};

/// The box of a tile.
Coordinates box_of(const Layer& layer, Operand operand, const Extents& tile);
/// The coordinate along which a loop moves an operand's tile, by so many places per index; 4 if it does not.
std::pair<std::size_t, Int> along(const Layer& layer, Operand operand, std::size_t dim);

/// All that a machine allows, for a tensor of a size; at least one.
std::vector<Layout> layouts_for(const CheckedPimMachine& machine, Operand operand, const Coordinates& size);

/// Rows that are opened, exactly.
Int rows_opened(const Walk& walk, const Layout& layout);

/// A floor under what one pass through a tile opens, wherever it lies and whatever came before: any layout.
Int floor_of_pass(const Walk& walk, const CheckedPimMachine& machine);
/// The same for a pass through the places that are read of a tile, in whatever order.
Int floor_of_sweep(const Walk& walk, const Layer& layer, const CheckedPimMachine& machine,
                   const Extents& tile);
/// Different elements that are read of a tile, at least.
Int elements_read(const Layer& layer, Operand operand, const Extents& tile);

/// The least that any layout opens, or something that is not above `enough`. What was counted is kept.
class FewestRows {
 public:
  Int operator()(const Walk& walk, const CheckedPimMachine& machine, Int enough);

 private:
  tbb::concurrent_hash_map<std::string, Int> counted_;
};

}  // namespace nestor::check::pim
