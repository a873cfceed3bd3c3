// Objectives for the mapping of a layer, in every loop-nest space. An objective is a non-decreasing function
// of the latency and of an additive cost, to which each transfer contributes. Searches bound the two parts
// separately; combine() combines the bounds. Formula numbers refer to docs/models/cim.md.
#pragma once

#include <cstdint>

#include "base/cost.h"

namespace nestor {

enum class ObjectiveKind : std::uint8_t { latency, energy, edp, eq14, blended };

struct NestObjective {
  ObjectiveKind kind = ObjectiveKind::latency;
  Cost latency_weight = 1;   ///< mu1 of eq14, alpha of blended
  Cost additive_weight = 1;  ///< mu2 of eq14, beta of blended
  Cost leakage = 0;          ///< pJ per cycle, from the machine

  constexpr bool needs_latency() const {
    return latency_only || kind != ObjectiveKind::energy || leakage > 0;
  }
  constexpr bool needs_additive() const { return !latency_only && kind != ObjectiveKind::latency; }
  /// True if the additive cost is energy; for eq14 it is the negative weighted sum of tile sizes.
  constexpr bool additive_is_energy() const { return kind != ObjectiveKind::eq14; }

  /// Returns the cost. `additive` is energy without leakage; for eq14 it is already weighted.
  constexpr Cost combine(Cost latency, Cost additive) const {
    if constexpr (latency_only) return latency;
    switch (kind) {
      case ObjectiveKind::latency:
        return latency;
      case ObjectiveKind::energy:  // (7.6)
        return additive + leakage * latency;
      case ObjectiveKind::edp:  // (7.7)
        return (additive + leakage * latency) * latency;
      case ObjectiveKind::eq14:  // (8.1)
        return latency_weight * latency + additive;
      case ObjectiveKind::blended:  // (8.2)
        return latency_weight * latency + additive_weight * (additive + leakage * latency);
    }
    return 0;
  }
};

}  // namespace nestor
