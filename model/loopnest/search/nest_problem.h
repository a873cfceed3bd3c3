// Common part of the search problems of all loop-nest spaces: a layer, the factors that tiles are built
// from, what the user fixed, and what earlier searches proved. A space adds its machine and what it
// minimises.
#pragma once

#include "model/loopnest/constraints.h"
#include "model/loopnest/factor_set.h"
#include "model/loopnest/layer.h"

namespace nestor {

/// What makes the search fast and could be left out without changing an optimum: for measuring what each
/// earns.
struct Techniques {
  bool stream = true;     ///< bound: the heaviest transfer stream still to come
  bool transfers = true;  ///< bound: first and last tiles still to come
  bool additive = true;   ///< bound: energy (or eq14's sizes) still to pay
  bool symmetry = true;   ///< of (P, R) with (Q, S)
  bool trades = true;     ///< dominance: latency may pay for energy
};

struct NestProblem {
  LayerShape layer;
  FactorSets factors;
  Constraints constraints;
  Techniques techniques;
  // What earlier searches proved:
  Int known_latency = 0;           ///< no mapping takes fewer cycles
  Cost known_additive = no_bound;  ///< nor has a lower additive cost
  Cost worth = no_cost;            ///< spatial choices that cannot cost less are not listed
  /// Of a padded layer whose cost never falls when a factor grows (docs/models/padding.md): the bounds before
  /// padding. A factor that could be smaller and still cover them is left out. 0: the dimension is not
  /// padded.
  Extents least_bounds{};
};

}  // namespace nestor
