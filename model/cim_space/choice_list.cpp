#include "model/cim_space/choice_list.h"

namespace nestor::cim {
namespace {

constexpr std::size_t poll_interval = 4096;

std::size_t bytes_for(const FactorSets& factors) {
  std::size_t bytes = 0;
  for (const FactorSet& set : factors) {
    std::size_t nodes = 1;
    for (const auto& factor : set.factors) nodes *= factor.count + std::size_t{1};
    bytes += nodes * (sizeof(Int) + sizeof(std::uint16_t) + sizeof(std::uint8_t)) + 64;
  }
  return bytes;
}

}  // namespace

ChoiceList::ChoiceList(const Problem& problem, const GoOn& go_on)
    : problem_(problem),
      least_additive_(additive_floor(problem_)),
      lattice_memory_(bytes_for(problem_.factors)) {
  Arena arena(lattice_memory_);
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!lattices_[d].build(problem_.factors[d], arena)) {  // more divisors than a node can number
      complete_ = false;
      return;
    }
  const bool symmetric = is_symmetric(problem_);
  std::size_t visited = 0;
  SpatialEnumerator(problem_, lattices_).run([&](const SpatialChoice& choice) {
    if (++visited % poll_interval == 0 && go_on)
      complete_ = go_on(choices_.capacity() * sizeof(SpatialChoice) + bounds_.capacity() * sizeof(double));
    if (symmetric && mirror(choice) < choice) return complete_;  // its twin is there
    choices_.push_back(choice);
    bounds_.push_back(trivial_bound(least_latency(choice)));
    return complete_;
  });
}

std::array<Extents, max_axes> ChoiceList::spatial(std::size_t i) const {
  std::array<Extents, max_axes> spatial{};
  for (std::size_t a = 0; a < max_axes; ++a)
    for (std::size_t d = 0; d < dim_count; ++d) spatial[a][d] = lattices_[d].value(choices_[i].node[a][d]);
  return spatial;
}

Int ChoiceList::least_latency(const SpatialChoice& choice) const {
  return temporal_steps(choice, lattices_, problem_.machine.axes.size()) * problem_.machine.mvm_cycles;
}

double ChoiceList::bound_of_all() const {
  Int steps = 1;
  for (const Int bound : problem_.layer.bounds) steps *= bound;
  for (const Axis& axis : problem_.machine.axes) steps = ceil_divide(steps, axis.size);
  return trivial_bound(steps * problem_.machine.mvm_cycles);
}

double ChoiceList::trivial_bound(Int latency) const {
  return problem_.objective.combine(static_cast<double>(latency), least_additive_);
}

}  // namespace nestor::cim
