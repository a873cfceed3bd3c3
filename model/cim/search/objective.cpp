#include "model/cim/search/objective.h"

namespace nestor::cim {

double default_eq14_weight(const Architecture& machine) {
  double weighted_capacity = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    bool home = false;
    for (const Operand operand : all_operands) home |= machine.home(operand) == m;
    const Int capacity = machine.memories[m].capacity;
    if (!home && capacity != unlimited_capacity)
      weighted_capacity += static_cast<double>(m) * static_cast<double>(capacity);
  }
  return weighted_capacity > 0 ? 0.001 / weighted_capacity : 0;
}

double objective_value(const CimObjective& objective, const CimEvaluation& evaluation,
                       const Architecture& machine) {
  const auto latency = static_cast<double>(evaluation.cycles(objective.latency_model));
  if (objective.additive_is_energy()) return objective.combine(latency, evaluation.energy_pj);
  double locality = 0;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (m != machine.home(operand))
        locality += static_cast<double>(m) * static_cast<double>(evaluation.size_bits[m][index_of(operand)]);
  return objective.combine(latency, -objective.additive_weight * locality);
}

}  // namespace nestor::cim
