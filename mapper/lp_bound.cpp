#include "mapper/lp_bound.h"

#include <algorithm>
#include <vector>

#include "model/cim_lp/energy_relaxation.h"

namespace nestor::mapper {

// The energy (without leakage) at which an objective at this latency costs `cost`, a little more than that so
// that rounding does not leave the bound just below it.
double LpBound::energy_at(double cost, double latency) const {
  constexpr double margin = 1 + 1e-12;
  const cim::Objective& objective = choices_.problem().objective;
  double energy = cost;
  if (objective.kind == cim::ObjectiveKind::edp) energy = cost / latency;
  if (objective.kind == cim::ObjectiveKind::blended) {
    if (objective.additive_weight == 0) return no_cost;
    energy = (cost - objective.latency_weight * latency) / objective.additive_weight;
  }
  return (energy - objective.leakage * latency) * margin;
}

namespace {

// What the user fixed of the memories that operands use.
cim::ContentLimits limits_of(const cim::Constraints& constraints) {
  using Use = cim::ContentLimits::Use;
  cim::ContentLimits limits;
  for (std::size_t m = 0; m < max_memories; ++m)
    for (const Operand operand : all_operands) {
      Use& use = limits.content[m][index_of(operand)].use;
      if (constraints.must_use[m].contains(operand)) use = Use::yes;
      if (constraints.must_not_use[m].contains(operand)) use = Use::no;
    }
  return limits;
}

}  // namespace

LpBound::Result LpBound::operator()(std::size_t choice, double enough) const {
  const cim::Problem& problem = choices_.problem();
  const cim::SpatialChoice& nodes = choices_.choice(choice);
  std::array<Extents, max_axes> spatial{};
  for (std::size_t a = 0; a < max_axes; ++a)
    for (std::size_t d = 0; d < dim_count; ++d)
      spatial[a][d] = choices_.lattices()[d].value(nodes.node[a][d]);
  const Int steps = cim::temporal_steps(nodes, choices_.lattices(), problem.machine.axes.size());
  const auto latency = static_cast<double>(steps * problem.machine.mvm_cycles);

  cim::EnergyRelaxationOptions options;
  options.node_limit = programs_per_choice;
  options.stop_at = energy_at(enough, latency);
  options.give_up = [this] { return stop_.requested(); };
  const auto energy =
      cim::bound_energy(problem.layer, problem.machine, spatial, options, limits_of(problem.constraints));
  return {problem.objective.combine(latency, energy.pj), static_cast<std::uint64_t>(energy.nodes),
          energy.pivots};
}

double LpBound::of_all(std::span<const std::pair<std::size_t, double>> open, double enough) const {
  struct Open {
    double bound;
    std::size_t choice;
    bool looked_at;
    // The heap keeps its largest in front.
    bool operator<(const Open& other) const {
      return bound != other.bound ? bound > other.bound : choice > other.choice;
    }
  };
  std::vector<Open> heap;
  for (const auto& [choice, bound] : open) heap.push_back({bound, choice, false});
  if (heap.empty()) return no_cost;
  std::make_heap(heap.begin(), heap.end());
  for (std::size_t k = 0; k < most_stopped_choices && !heap.front().looked_at && !stop_.requested(); ++k) {
    std::pop_heap(heap.begin(), heap.end());
    Open& least = heap.back();
    least.bound = std::max(least.bound, (*this)(least.choice, enough).bound);
    least.looked_at = true;
    std::push_heap(heap.begin(), heap.end());
  }
  return heap.front().bound;
}

}  // namespace nestor::mapper
