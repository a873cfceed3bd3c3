// Transfers of a mapping (docs/models/pim.md, section 3): for each operand, the memories that it uses,
// outermost first, and the data that move between each memory and the next one outward. Evaluation and
// legality checks use PimNest.
#pragma once

#include "model/loopnest/rules/nest_tiles.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"
#include "model/pim/rows/row_walk.h"

namespace nestor::pim {

/// Transfer of a tile of `to` between `from` and `to`.
struct Boundary {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t begin = 0;  ///< outermost loop inside the tile
  Int times = 1;          ///< number of moves
  Int distinct = 1;       ///< number of different tiles
  Int width = 8;          ///< bits of a moved element; O: partial or final sums
  Int unique = 0;         ///< bits per move through the inner side of one instance of `from`
  Int copies = 0;         ///< bits per move into all instances of `to` under one instance of `from`
};
using Boundaries = FixedVector<Boundary, max_memories>;

class PimNest {
 public:
  PimNest(const LayerShape& layer, const PimMachine& machine, const PimMapping& mapping)
      : layer_(layer), machine_(machine), mapping_(mapping), tiles_(layer, machine, mapping.nest) {}

  const NestTiles& tiles() const { return tiles_; }
  /// True if an operand uses a memory: the memory is the operand's home or innermost memory, contains loops
  /// of the operand, or stores it.
  bool used(std::size_t memory, Operand operand) const {
    return tiles_.used(memory, operand) || mapping_.stored[memory].contains(operand);
  }
  Boundaries boundaries(Operand operand) const;
  /// Returns the visits to DRAM rows by a transfer whose outer memory is DRAM.
  RowWalk row_walk(Operand operand, const Boundary& boundary) const;
  /// Returns the product of all temporal factors.
  Int steps() const;

 private:
  Boundary boundary(Operand operand, std::size_t from, std::size_t to) const;

  const LayerShape& layer_;
  const PimMachine& machine_;
  const PimMapping& mapping_;
  NestTiles tiles_;
};

}  // namespace nestor::pim
