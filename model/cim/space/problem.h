// One search problem of the cim space: a layer, a machine, an objective, the factors that tiles are built
// from, and what the user fixed. Everything is free unless fixed.
#pragma once

#include "model/cim/space/objective.h"
#include "model/loopnest/factor_set.h"
#include "model/loopnest/mapping.h"

namespace nestor::cim {

struct Constraints {
  std::array<DimSet, max_axes> axis_dims;        ///< dims allowed on an axis, within what the machine allows
  std::array<Extents, max_axes> axis_factors{};  ///< exact spatial factor; 0: free
  std::array<OperandSet, max_memories> must_use{};      ///< the operand must hold a block there
  std::array<OperandSet, max_memories> must_not_use{};  ///< the operand must bypass it
  FixedVector<Loop, max_loops> outer_loops;        ///< the outermost temporal loops, in order; `at` is free
  std::array<double, max_axes> min_utilisation{};  ///< mapped share of an axis, 0..1

  Constraints() { axis_dims.fill(DimSet::of(Dim::N, Dim::K, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S)); }
};

struct Problem {
  LayerShape layer;
  Architecture machine;
  Objective objective;
  FactorSets factors;
  Constraints constraints;
};

/// A problem with full prime factors and nothing fixed.
Problem make_problem(const LayerShape& layer, const Architecture& machine, const Objective& objective);

}  // namespace nestor::cim
