// What the search minimises (docs/models/cim.md, section 8): latency under the model in force, and an
// additive cost that is energy or, for eq14, the negative weighted sizes.
#pragma once

#include "model/cim/evaluate.h"
#include "model/loopnest/objective_kind.h"

namespace nestor::cim {

using nestor::ObjectiveKind;

struct Objective {
  ObjectiveKind kind = ObjectiveKind::latency;
  LatencyModel latency_model = LatencyModel::stall;
  Cost latency_weight = 1;   ///< mu1 of eq14, alpha of blended
  Cost additive_weight = 1;  ///< mu2 of eq14, beta of blended
  Cost leakage = 0;          ///< pJ per cycle, from the architecture

  bool needs_latency() const { return latency_only || kind != ObjectiveKind::energy || leakage > 0; }
  bool needs_additive() const { return !latency_only && kind != ObjectiveKind::latency; }
  /// Whether the additive cost is energy (otherwise eq14's sizes).
  bool additive_is_energy() const { return kind != ObjectiveKind::eq14; }

  Cost combine(Cost latency, Cost additive) const {
    return combine_objective(kind, {latency_weight, additive_weight, leakage}, latency, additive);
  }
};

/// mu2 where none is given: 0.001 / (sum over memories that are home to no operand of index * capacity).
double default_eq14_weight(const Architecture& machine);

/// The objective's value of an evaluated mapping.
double objective_value(const Objective& objective, const Evaluation& evaluation, const Architecture& machine);

}  // namespace nestor::cim
