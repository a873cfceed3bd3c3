// The tiles of a mapped loop nest (docs/models/cim.md, section 4): the memories that an operand uses, the
// outermost loop of the content of each memory, and the size of each tile in bits. Legality checks and
// evaluators build a NestTiles once per mapping; it allocates no memory.
#pragma once

#include "model/loopnest/mapping.h"
#include "model/loopnest/tiles.h"

namespace nestor {

class NestTiles {
 public:
  NestTiles(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping);

  bool used(std::size_t memory, Operand operand) const { return used_[memory].contains(operand); }
  /// Returns the outermost loop in the content of a memory: the first loop whose block is in this memory or
  /// further inside, or the number of loops if there is no such loop. Defined only for used memories.
  std::size_t content_begin(std::size_t memory, Operand operand) const {
    return content_begin_[memory][index_of(operand)];
  }
  /// Returns size(m, x) of (4.1), without doubling.
  Int size_bits(std::size_t memory, Operand operand) const;

  /// Returns the extents of the loops [loop, n) times the spatial factors of the axes [axis, end).
  Extents extents(std::size_t loop, std::size_t axis) const;
  /// Returns the elements of an operand's tile with these extents.
  Int tile(Operand operand, std::size_t loop, std::size_t axis) const {
    return elements(layer_, operand, extents(loop, axis));
  }
  /// Returns the product of all factors mapped on the axes [begin, end).
  Int lanes(std::size_t begin_axis, std::size_t end_axis) const {
    return lanes_before_[end_axis] / lanes_before_[begin_axis];
  }
  /// True if an axis before `axis` carries a reduction factor.
  bool reduced_above(std::size_t axis) const { return axis > first_reduced_axis_; }
  /// True if one of the loops [0, loop) is a reduction.
  bool reduction_outside(std::size_t loop) const { return loop > first_reduction_loop_; }

 private:
  const LayerShape& layer_;
  const Hierarchy& machine_;
  std::array<OperandSet, max_memories> used_{};
  std::array<std::array<std::uint8_t, operand_count>, max_memories> content_begin_{};
  std::array<Extents, max_loops + 1> inner_;      ///< per loop, extents of this loop and the loops inside it
  std::array<Extents, max_axes + 1> below_;       ///< per axis, extents of this axis and the axes after it
  std::array<Int, max_axes + 1> lanes_before_{};  ///< per axis, product of all factors before it
  std::size_t first_reduced_axis_ = max_axes;     ///< first axis with a reduction factor
  std::size_t first_reduction_loop_ = max_loops;  ///< outermost reduction loop
};

}  // namespace nestor
