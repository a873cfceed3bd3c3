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
  // Height and width lie differently in rows.
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

// Whether nothing tells two neighbouring axes from each other but their sizes: no memory between, no rule, no
// wish.
bool alike(const PimProblem& problem, std::size_t a, std::size_t b) {
  const PimMachine& machine = problem.machine;
  const Constraints& wishes = problem.constraints;
  for (const Memory& memory : machine.memories)
    if (memory.axes_above == b) return false;
  return machine.axes[a].dims == machine.axes[b].dims &&
         ((machine.dim_once >> a) & 1U) == ((machine.dim_once >> b) & 1U) &&
         wishes.axis_dims[a] == wishes.axis_dims[b] && wishes.axis_factors[a] == wishes.axis_factors[b] &&
         wishes.min_utilisation[a] == wishes.min_utilisation[b];
}

// Whether no rule but its size tells how an axis may share factors with one like it.
bool shares_freely(const PimProblem& problem, std::size_t axis) {
  const Constraints& wishes = problem.constraints;
  return !problem.for_checker && ((problem.machine.dim_once >> axis) & 1U) == 0 &&
         wishes.axis_factors[axis] == Extents{} && wishes.min_utilisation[axis] == 0 &&
         problem.least_bounds == Extents{};
}

// Whether two neighbouring axes could carry the same together so that the first comes earlier in the order of
// choices. `less`: the dimensions before `dim` decide that it does.
bool could_come_earlier(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                        std::size_t a, std::size_t dim, bool less, Int first, Int second) {
  if (first > problem.machine.axes[a].size || second > problem.machine.axes[a + 1].size) return false;
  if (dim == dim_count) return less;
  const FactorLattice& lattice = lattices[dim];
  const LatticeNode own = choice.node[a][dim];
  const auto both = static_cast<LatticeNode>(own + choice.node[a + 1][dim]);
  for (LatticeNode node = 0; node <= (less ? both : own); ++node) {
    const auto rest = static_cast<LatticeNode>(both - node);
    if (lattice.fits_beside(node, rest) &&
        could_come_earlier(problem, lattices, choice, a, dim + 1, less || node < own,
                           first * lattice.value(node), second * lattice.value(rest)))
      return true;
  }
  return false;
}

}  // namespace

bool is_first_twin(const PimProblem& problem, const Lattices& lattices, const SpatialChoice& choice) {
  for (std::size_t a = 0; a + 1 < problem.machine.axes.size(); ++a) {
    if (!alike(problem, a, a + 1)) continue;
    if (shares_freely(problem, a)) {
      if (could_come_earlier(problem, lattices, choice, a, 0, false, 1, 1)) return false;
    } else if (problem.machine.axes[a].size == problem.machine.axes[a + 1].size &&
               choice.node[a + 1] < choice.node[a]) {
      return false;
    }
  }
  return true;
}

}  // namespace nestor::pim
