// One search problem of the cim space: a layer, a machine, an objective, the factors that tiles are built
// from, and what the user fixed. Everything is free unless fixed.
#pragma once

#include <limits>

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

  Int max_latency = std::numeric_limits<Int>::max();              ///< cycles, under the model in force
  double max_additive = std::numeric_limits<double>::infinity();  ///< energy without leakage (eq14: sizes)

  bool limits_latency() const { return max_latency != std::numeric_limits<Int>::max(); }
  bool limits_additive() const { return max_additive != std::numeric_limits<double>::infinity(); }

  Constraints() { axis_dims.fill(DimSet::of(Dim::N, Dim::K, Dim::C, Dim::P, Dim::Q, Dim::R, Dim::S)); }
};

/// What makes the search fast and could be left out without changing an optimum: for measuring what each
/// earns.
struct Techniques {
  bool stream = true;     ///< bound: the heaviest transfer stream still to come
  bool transfers = true;  ///< bound: first and last tiles still to come
  bool additive = true;   ///< bound: energy (or eq14's sizes) still to pay
  bool symmetry = true;   ///< of (P, R) with (Q, S)
  bool trades = true;     ///< dominance: latency may pay for energy
};

struct Problem {
  LayerShape layer;
  Architecture machine;
  Objective objective;
  FactorSets factors;
  Constraints constraints;
  Techniques techniques;
  // What earlier searches proved:
  Int known_latency = 0;                                             ///< no mapping takes fewer cycles
  double known_additive = -std::numeric_limits<double>::infinity();  ///< nor has a lower additive cost

  /// Which parts of the cost a search must follow: those that the objective reads or a limit bounds.
  bool follows_latency() const { return objective.needs_latency() || constraints.limits_latency(); }
  bool follows_additive() const { return objective.needs_additive() || constraints.limits_additive(); }
};

/// No mapping has a lower additive cost; for eq14 that of memories filled to the brim, or with whole
/// operands.
double additive_floor(const Problem& problem);

/// A problem with full prime factors and nothing fixed.
Problem make_problem(const LayerShape& layer, const Architecture& machine, const Objective& objective);

}  // namespace nestor::cim
