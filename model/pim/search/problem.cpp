#include "model/pim/search/problem.h"

#include <algorithm>

#include "model/pim/boundaries.h"
#include "model/pim/rows/hybrid_rows.h"

namespace nestor::pim {

PimProblem make_problem(const LayerShape& layer, const PimMachine& machine, const NestObjective& objective,
                        LayoutSet layouts) {
  PimProblem problem;
  problem.layer = layer;
  problem.factors = prime_factors(layer.bounds);
  problem.machine = machine;
  problem.objective = objective;
  problem.objective.leakage = machine.leakage;
  problem.layouts = layouts;
  // Rows are not symmetric in height and width.
  for (const Memory& memory : machine.memories) problem.techniques.symmetry &= memory.row == 0;
  return problem;
}

PimProblem with_table(PimProblem problem, const StoredPairs& table) {
  problem.table = table;
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if (problem.machine.memories[m].operands.contains(operand) && !table[m].contains(operand) &&
          m != problem.machine.home(operand) && m != problem.machine.innermost(operand))
        problem.constraints.must_not_use[m].insert(operand);
  return problem;
}

StoredPairs stored_pairs(const PimProblem& problem) {
  StoredPairs stored{};
  if (!problem.table) return stored;
  for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
    for (const Operand operand : all_operands)
      if ((*problem.table)[m].contains(operand) && m != problem.machine.home(operand) &&
          m != problem.machine.innermost(operand))
        stored[m].insert(operand);
  return stored;
}

void choose_layouts(const PimProblem& problem, PimMapping& mapping, RowCounter& rows) {
  const PimNest nest(problem.layer, problem.machine, mapping);
  for (const Operand operand : all_operands) {
    if (!problem.machine.has_rows(operand)) continue;
    const Boundary boundary = nest.boundaries(operand)[0];
    const RowWalk walk = nest.row_walk(operand, boundary);
    mapping.layouts[index_of(operand)] =
        problem.machine.row_model == RowModel::hybrid
            ? hybrid_layout(problem.layer, walk, problem.layouts,
                            buffered_reuse(problem.layer, problem.machine, mapping, operand, boundary))
                  .layout
            : best_layout(rows, walk, problem.layouts, 0).layout;
  }
}

double objective_value(const NestObjective& objective, const PimEvaluation& evaluation) {
  return objective.combine(static_cast<double>(evaluation.latency_cycles), evaluation.energy_pj);
}

double energy_floor(const PimProblem& problem) {
  return product_of<double>(problem.layer.bounds) * problem.machine.mac_energy;
}

bool rows_cost(const PimProblem& problem) {
  return std::any_of(
      problem.machine.memories.begin(), problem.machine.memories.end(), [&](const Memory& memory) {
        return memory.row > 0 && ((problem.follows_latency() && memory.activation_cycles > 0) ||
                                  (problem.follows_energy() && memory.activation_energy > 0));
      });
}

Int compute_cycles(const PimMachine& machine, Int steps) {
  return machine.mvm_cycles * steps + machine.reduction_latency;
}

bool keeps_dims_once(const PimMachine& machine, const SpatialChoice& choice) {
  for (std::size_t d = 0; d < dim_count; ++d) {
    int mapped = 0;
    for (std::size_t a = 0; a < machine.axes.size(); ++a)
      mapped += static_cast<int>(((machine.dim_once >> a) & 1U) != 0 && choice.node[a][d] != 0);
    if (mapped > 1) return false;
  }
  return true;
}

SpatialChoice joined(const PimProblem& problem, const SpatialChoice& choice) {
  const PimMachine& machine = problem.machine;
  SpatialChoice joined;
  std::size_t first = 0;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) {
    const bool separated = std::any_of(machine.memories.begin(), machine.memories.end(),
                                       [a](const Memory& memory) { return memory.axes_above == a; });
    if (separated) first = a;
    for (std::size_t d = 0; d < dim_count; ++d)
      joined.node[first][d] = static_cast<LatticeNode>(joined.node[first][d] + choice.node[a][d]);
  }
  return joined;
}

std::optional<SpatialChoice> group_of(const PimProblem& problem, const SpatialChoice& choice) {
  const PimMachine& machine = problem.machine;
  const std::size_t outside = machine.memories[machine.home(Operand::I)].axes_above;
  for (const Operand operand : all_operands)
    if (machine.memories[machine.home(operand)].axes_above != outside) return std::nullopt;
  if (outside == 0) return std::nullopt;
  SpatialChoice group = choice;
  for (std::size_t a = 0; a < outside; ++a) group.node[a] = {};
  for (std::size_t d = 0; d < dim_count; ++d)
    if (problem.layer.is_reduction(static_cast<Dim>(d))) group.node[0][d] = choice.used(d, outside);
  return group;
}

}  // namespace nestor::pim
