// Common part of the search problems of all loop-nest spaces: a layer, the factors from which tiles are
// built, the user's constraints, and the results of earlier searches. A space adds its machine and its
// objective.
#pragma once

#include "model/loopnest/constraints.h"
#include "model/loopnest/factor_set.h"
#include "model/loopnest/layer.h"

namespace nestor {

/// Techniques that accelerate the search without changing an optimum. Each can be switched off to measure its
/// effect.
struct Techniques {
  bool stream = true;     ///< bound: the longest remaining transfer stream
  bool transfers = true;  ///< bound: transfers of the remaining first and last tiles
  bool additive = true;   ///< bound: remaining energy (or eq14's sizes)
  bool joint = true;      ///< bound: remaining energy of all operands together, on PIM machines
  bool symmetry = true;   ///< search only one of two mirrored mappings
  bool trades = true;     ///< dominance: lower latency may compensate for higher energy, and vice versa
};

struct NestProblem {
  LayerShape layer;
  FactorSets factors;
  Constraints constraints;
  Techniques techniques;
  // Results of earlier searches:
  Int known_latency = 0;           ///< no mapping takes fewer cycles
  Cost known_additive = no_bound;  ///< no mapping has a lower additive cost
  Cost worth = no_cost;            ///< spatial choices are listed only if they can cost less than this
  /// Bounds before padding, for a padded layer whose cost never falls when a factor grows
  /// (docs/models/padding.md). A factor is omitted if a smaller factor would still cover these bounds. 0: the
  /// dimension is not padded.
  Extents least_bounds{};
};

}  // namespace nestor
