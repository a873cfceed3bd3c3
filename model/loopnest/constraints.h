// User constraints on mappings. Every decision that is not fixed is free.
#pragma once

#include "base/cost.h"
#include "model/loopnest/mapping.h"

namespace nestor {

struct Constraints {
  std::array<DimSet, max_axes> axis_dims;               ///< dimensions that the user allows on each axis
  std::array<Extents, max_axes> axis_factors{};         ///< exact spatial factor; 0: free
  std::array<OperandSet, max_memories> must_use{};      ///< operands that must have a block in this memory
  std::array<OperandSet, max_memories> must_not_use{};  ///< operands that must bypass this memory
  FixedVector<Loop, max_loops> outer_loops;        ///< the outermost temporal loops, in order; `at` is free
  std::array<double, max_axes> min_utilisation{};  ///< least mapped share of an axis, 0 to 1
  /// Operands whose innermost tiles are each loaded once. All loops that are irrelevant to such an operand
  /// are in its innermost block. For O, each tile is completely reduced before it moves outward.
  OperandSet stationary;

  Int max_latency = std::numeric_limits<Int>::max();  ///< limit on the cycles, under the selected latency
                                                      ///< model
  Cost max_additive = no_cost;                        ///< limit on the energy without leakage (eq14: on the
                                                      ///< negative weighted sizes)

  bool limits_latency() const { return max_latency != std::numeric_limits<Int>::max(); }
  bool limits_additive() const { return !latency_only && max_additive != no_cost; }

  Constraints() { axis_dims.fill(every_dim); }
};

}  // namespace nestor
