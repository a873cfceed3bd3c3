// What a mapping of a layer is judged by, in every loop-nest space: a non-decreasing function of its latency
// and of an additive cost that each transfer adds to. Searches bound the two apart and combine them here.
// Formulas are those of docs/models/cim.md.
#pragma once

#include <cstdint>

#include "base/cost.h"

namespace nestor {

enum class ObjectiveKind : std::uint8_t { latency, energy, edp, eq14, blended };

struct ObjectiveWeights {
  Cost latency = 1;
  Cost additive = 1;
  Cost leakage = 0;  ///< pJ per cycle, from the machine
};

/// `additive` is energy without leakage; for eq14 it is weighed already.
constexpr Cost combine_objective(ObjectiveKind kind, const ObjectiveWeights& weights, Cost latency,
                                 Cost additive) {
  if constexpr (latency_only) return latency;
  switch (kind) {
    case ObjectiveKind::latency:
      return latency;
    case ObjectiveKind::energy:  // (7.6)
      return additive + weights.leakage * latency;
    case ObjectiveKind::edp:  // (7.7)
      return (additive + weights.leakage * latency) * latency;
    case ObjectiveKind::eq14:  // (8.1)
      return weights.latency * latency + additive;
    case ObjectiveKind::blended:  // (8.2)
      return weights.latency * latency + weights.additive * (additive + weights.leakage * latency);
  }
  return 0;
}

}  // namespace nestor
