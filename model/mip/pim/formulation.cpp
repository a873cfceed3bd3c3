#include "model/mip/pim/formulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace nestor::pim {

PimProgram::PimProgram(const PimProblem& problem, const PimMapping* known, std::optional<double> best)
    : problem_(problem),
      nest_(program_, problem, problem.machine, known == nullptr ? nullptr : &known->nest,
            {.double_buffers = false, .ordered = false}),
      figures_(nest_),
      known_(known) {
  limit_ = latency_limit(best);
  add_dims_once();
  if (problem.machine.blocks == BlockRule::even) add_levels(known);
  figures_.add_sizes(false);
  for (const Operand operand : all_operands) {
    const Memory& home = problem.machine.memories[problem.machine.home(operand)];
    const bool costs = (problem.follows_latency() && home.activation_cycles > 0) ||
                       (problem.follows_energy() && home.activation_energy > 0);
    if (home.row > 0 && costs) add_rows(operand);
  }
  if (problem.follows_latency()) {
    add_traffic();
    add_latency();
  }
  add_objective();
}

// Adds Eqs. 33, 34 and 38 to 40: the latency is the maximum over compute and all memories.
void PimProgram::add_latency() {
  const PimMachine& machine = problem_.machine;
  latency_ = program_.add({.name = "latency", .upper = limit_, .meaning = {.symbol = "latency_total"}});
  const auto reduction = static_cast<double>(machine.reduction_latency);
  program_.at_least("eq34", latency_,
                    figures_.steps(static_cast<double>(machine.mvm_cycles), limit_ - reduction) + reduction);
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    const Memory& memory = machine.memories[m];
    PerMemoryOperand<Sum>::value_type port = cycles_[m];
    Sum together;
    for (const Operand operand : all_operands) {
      Sum& cycles = port[index_of(operand)];
      if (machine.home(operand) == m && !rows_[index_of(operand)].empty())
        cycles += rows_[index_of(operand)] * static_cast<double>(memory.activation_cycles);
      together += cycles;
    }
    for (const Operand operand : all_operands) {
      const auto& chain = nest_.chain(operand);
      if (std::find(chain.begin(), chain.end(), m) == chain.end()) continue;
      const Sum waits = nest_.used(operand, m) * static_cast<double>(memory.access_latency);
      const Sum& cycles = memory.shared_port ? together : port[index_of(operand)];
      program_.at_least(fmt::format("eq38_{}_{}", m, letter(operand)), latency_, cycles + waits);
    }
  }
}

// Sets the costs of the columns to the objective, with the energy of Eqs. 41 to 43.
void PimProgram::add_objective() {
  const NestObjective& objective = problem_.objective;
  Sum energy = product_of<double>(problem_.layer.bounds) * problem_.machine.mac_energy;
  if (objective.needs_additive()) {
    energy += figures_.energy(true);
    for (const Operand operand : all_operands)
      energy += rows_[index_of(operand)] *
                problem_.machine.memories[problem_.machine.home(operand)].activation_energy;
  }
  Sum cost;
  double of_latency = objective.leakage;
  if (objective.kind == ObjectiveKind::latency) {
    of_latency = 1;
  } else if (objective.kind == ObjectiveKind::energy) {
    cost += energy;
  } else if (objective.kind == ObjectiveKind::blended) {
    of_latency = objective.latency_weight + objective.additive_weight * objective.leakage;
    cost += energy * objective.additive_weight;
  }
  if (of_latency != 0) cost += Sum(latency_) * of_latency;
  program_.set_costs(cost);
}

}  // namespace nestor::pim
