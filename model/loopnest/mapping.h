// A mapping of a layer onto a hierarchy (docs/models/cim.md, section 3): spatial factors per axis, ordered
// temporal loops with a memory per operand, and the double-buffered (memory, operand) pairs. This is plain
// data: rules/legality.h checks its legality, and each space's evaluator computes its cost.
#pragma once

#include "model/loopnest/hierarchy.h"

namespace nestor {

struct Loop {
  Dim dim = Dim::N;
  Int factor = 1;
  std::array<std::uint8_t, operand_count> at{};  ///< for each operand, the memory whose block contains this
                                                 ///< loop

  friend constexpr bool operator==(const Loop&, const Loop&) = default;
};

struct Mapping {
  SpatialFactors spatial = all_unit();
  FixedVector<Loop, max_loops> loops;                      ///< outermost first
  std::array<OperandSet, max_memories> double_buffered{};  ///< operands per memory

  friend constexpr bool operator==(const Mapping&, const Mapping&) = default;

 private:
  static constexpr SpatialFactors all_unit() {
    SpatialFactors axes{};
    for (auto& axis : axes) axis = unit_extents;
    return axes;
  }
};

/// True if all indices are in range. This protects against mappings that were read as raw bytes.
/// rules/legality.h checks all other rules.
constexpr bool is_whole(const Mapping& mapping) {
  if (mapping.loops.size() > max_loops) return false;
  for (const Loop& loop : mapping.loops) {
    if (index_of(loop.dim) >= dim_count) return false;
    for (const std::uint8_t memory : loop.at)
      if (memory >= max_memories) return false;
  }
  return true;
}

}  // namespace nestor
