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

namespace {

// True if two neighbouring axes are interchangeable: they have no memory between them, and equal rules and
// constraints.
bool alike(const PimProblem& problem, std::size_t a, std::size_t b) {
  const PimMachine& machine = problem.machine;
  const Constraints& wishes = problem.constraints;
  for (const Memory& memory : machine.memories)
    if (memory.axes_above == b) return false;
  return machine.axes[a].size == machine.axes[b].size && machine.axes[a].dims == machine.axes[b].dims &&
         ((machine.dim_once >> a) & 1U) == ((machine.dim_once >> b) & 1U) &&
         wishes.axis_dims[a] == wishes.axis_dims[b] && wishes.axis_factors[a] == wishes.axis_factors[b] &&
         wishes.min_utilisation[a] == wishes.min_utilisation[b];
}

}  // namespace

bool is_first_twin(const PimProblem& problem, const SpatialChoice& choice) {
  for (std::size_t a = 0; a + 1 < problem.machine.axes.size(); ++a)
    if (choice.node[a + 1] < choice.node[a] && alike(problem, a, a + 1)) return false;
  return true;
}

}  // namespace nestor::pim
