#include "model/cim_space/choice_list.h"

#include <limits>

namespace nestor::cim {
namespace {

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

ChoiceList::ChoiceList(const Problem& problem)
    : problem_(problem), lattice_memory_(bytes_for(problem_.factors)) {
  Arena arena(lattice_memory_);
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!lattices_[d].build(problem_.factors[d], arena)) return;  // too many divisors: no branches
  const bool symmetric = is_symmetric(problem_);
  SpatialEnumerator(problem_, lattices_).run([&](const SpatialChoice& choice) {
    if (symmetric && mirror(choice) < choice) return true;  // its twin is there
    choices_.push_back(choice);
    bounds_.push_back(trivial_bound(choice));
    return true;
  });
}

// Every step takes an MVM and every multiply-accumulate its energy. eq14 may gain up to all that memories
// hold.
double ChoiceList::trivial_bound(const SpatialChoice& choice) const {
  if (!problem_.objective.additive_is_energy()) return -std::numeric_limits<double>::max();
  const Int steps = temporal_steps(choice, lattices_, problem_.machine.axes.size());
  double macs = 1;
  for (const Int bound : problem_.layer.bounds) macs *= static_cast<double>(bound);
  return problem_.objective.combine(static_cast<double>(steps * problem_.machine.mvm_cycles),
                                    macs * problem_.machine.mac_energy);
}

}  // namespace nestor::cim
