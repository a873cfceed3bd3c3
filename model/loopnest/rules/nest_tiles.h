// The tiles of a mapped nest (docs/models/cim.md, section 4): which memories an operand uses, where the
// content of each begins, and how many bits it takes. What legality and evaluation both stand on. Built once
// per mapping, in fixed storage.
#pragma once

#include "model/loopnest/mapping.h"
#include "model/loopnest/tiles.h"

namespace nestor {

class NestTiles {
 public:
  NestTiles(const LayerShape& layer, const Hierarchy& machine, const Mapping& mapping);

  bool used(std::size_t memory, Operand operand) const { return used_[memory].contains(operand); }
  /// The outermost loop in the content of a memory: the first whose block is there or further inside; the
  /// number of loops if there is none. Defined for used memories.
  std::size_t content_begin(std::size_t memory, Operand operand) const {
    return content_begin_[memory][index_of(operand)];
  }
  /// size(m, x) of (4.1), undoubled.
  Int size_bits(std::size_t memory, Operand operand) const;

  /// Extents of the loops [loop, n) times the spatial factors of the axes [axis, end).
  Extents extents(std::size_t loop, std::size_t axis) const;
  /// Elements of an operand's tile with these extents.
  Int tile(Operand operand, std::size_t loop, std::size_t axis) const {
    return elements(layer_, operand, extents(loop, axis));
  }
  /// Product of all factors mapped on the axes [begin, end).
  Int lanes(std::size_t begin_axis, std::size_t end_axis) const {
    return lanes_before_[end_axis] / lanes_before_[begin_axis];
  }
  /// Whether an axis before `axis` carries a reduction factor.
  bool reduced_above(std::size_t axis) const { return axis > first_reduced_axis_; }
  /// Whether one of the loops [0, loop) is a reduction.
  bool reduction_outside(std::size_t loop) const { return loop > first_reduction_loop_; }

 private:
  const LayerShape& layer_;
  const Hierarchy& machine_;
  std::array<OperandSet, max_memories> used_{};
  std::array<std::array<std::uint8_t, operand_count>, max_memories> content_begin_{};
  std::array<Extents, max_loops + 1> inner_;      ///< per loop, extents of the loops from it inward
  std::array<Extents, max_axes + 1> below_;       ///< per axis, extents of the axes from it on
  std::array<Int, max_axes + 1> lanes_before_{};  ///< per axis, product of all factors before it
  std::size_t first_reduced_axis_ = max_axes;     ///< first axis with a reduction factor
  std::size_t first_reduction_loop_ = max_loops;  ///< outermost reduction loop
};

}  // namespace nestor
