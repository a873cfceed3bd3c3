#include "model/mip/cim/formulation.h"

namespace nestor::cim {

// Sets the costs of the columns to the objective (Eqs. 1 and 14). The EDP is not linear, so no costs are set
// for it.
void MiredoProgram::add_objective() {
  const CimObjective& objective = problem_.objective;
  Sum cost;
  Sum energy = product_of<double>(problem_.layer.bounds) * problem_.machine.mac_energy;
  if (objective.needs_additive() && objective.additive_is_energy()) energy += figures_.energy(false);
  const auto add_latency_times = [&](double weight) {
    if (weight != 0) cost += Sum(latency_) * weight;
  };
  switch (objective.kind) {
    case ObjectiveKind::latency:
      add_latency_times(1);
      break;
    case ObjectiveKind::energy:
      cost += energy;
      add_latency_times(objective.leakage);
      break;
    case ObjectiveKind::blended:
      if (objective.additive_weight != 0) cost += energy * objective.additive_weight;
      add_latency_times(objective.latency_weight + objective.additive_weight * objective.leakage);
      break;
    case ObjectiveKind::eq14:
      add_latency_times(objective.latency_weight);
      if (objective.additive_weight != 0)
        for (std::size_t m = 0; m < problem_.machine.memories.size(); ++m)
          for (const Operand operand : all_operands)
            cost -= figures_.size(m, operand) * (objective.additive_weight * static_cast<double>(m));
      break;
    case ObjectiveKind::edp:  // a product of two columns
      break;
  }
  program_.set_costs(cost);
}

}  // namespace nestor::cim
