#include "mapper/cim/lp_bound.h"

#include <algorithm>
#include <vector>

#include "model/cim/linear/relaxation.h"

namespace nestor::mapper {

namespace {

// Margin that prevents rounding from leaving a bound just below the required value.
constexpr double margin = 1 + 1e-12;

}  // namespace

// Returns an energy (without leakage) at which the objective is at least `cost` at this latency, or no_cost
// if the objective ignores energy.
double LpBound::energy_at(double cost, double latency) const {
  const cim::CimObjective& objective = problem_.objective;
  double energy = cost;
  if (objective.kind == cim::ObjectiveKind::edp) energy = cost / latency;
  if (objective.kind == cim::ObjectiveKind::blended) {
    if (objective.additive_weight == 0) return no_cost;
    energy = (cost - objective.latency_weight * latency) / objective.additive_weight;
  }
  return (energy - objective.leakage * latency) * margin;
}

// Returns a latency at which the objective, with this additive part, is at least `cost`, or no_cost if there
// is none.
double LpBound::latency_at(double cost, double additive) const {
  const cim::CimObjective& objective = problem_.objective;
  if (objective.kind == cim::ObjectiveKind::latency) return cost * margin;
  if (objective.kind == cim::ObjectiveKind::edp) return additive > 0 ? cost / additive * margin : no_cost;
  const double rest = additive * (objective.kind == cim::ObjectiveKind::eq14 ? 1 : objective.additive_weight);
  return (cost - rest) / objective.latency_weight * margin;
}

namespace {

// Returns the user's constraints on the memories that operands use.
cim::ContentLimits limits_of(const Constraints& constraints) {
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
  const cim::CimProblem& problem = problem_;
  const auto spatial = choices_.spatial(choice);
  auto latency = static_cast<double>(cim::least_latency(problem_, choices_.steps(choice)));
  double additive = additive_floor(problem_);

  Result result;
  const auto solve = [&](cim::RelaxedCost cost, double stop_at) {
    cim::RelaxationOptions options;
    options.node_limit = programs_per_choice;
    options.stop_at = stop_at;
    options.give_up = [this] { return stop_.requested(); };
    const auto bound = cim::relaxed_bound(cost, problem.layer, problem.machine, spatial, options,
                                          limits_of(problem.constraints));
    result.programs += static_cast<std::uint64_t>(bound.nodes);
    result.pivots += bound.pivots;
    return bound.cost;
  };
  if (bounds_energy(problem.objective))
    additive = std::max(additive, solve(cim::RelaxedCost::energy, energy_at(enough, latency)));
  if (bounds_latency(problem.objective) && additive < no_cost &&
      problem.objective.combine(latency, additive) < enough)
    latency = std::max(latency, solve(cim::RelaxedCost::stall_cycles, latency_at(enough, additive)));
  // Either cost is infinite if no mapping has these factors; the objective may ignore one of the costs.
  const bool none = latency == no_cost || additive == no_cost;
  result.bound = none ? no_cost : problem.objective.combine(latency, additive);
  return result;
}

double LpBound::of_all(std::span<const std::pair<std::size_t, double>> open, double enough) const {
  struct Open {
    double bound;
    std::size_t choice;
    bool looked_at;
    // The first element of the heap is its largest: the choice with the least bound.
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
