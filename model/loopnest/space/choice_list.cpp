#include "model/loopnest/space/choice_list.h"

#include <algorithm>

namespace nestor {
namespace {

constexpr std::size_t poll_interval = 4096;

// Returns the largest number of steps whose bound is below the rules' `worth`, or 0 if there is none.
Int most_steps(const ChoiceRules& rules, Int all) {
  if (rules.bound(all) < rules.worth) return all;
  Int wanted = 0;
  for (Int unwanted = all; unwanted - wanted > 1;) {
    const Int middle = wanted + (unwanted - wanted) / 2;
    (rules.bound(middle) < rules.worth ? wanted : unwanted) = middle;
  }
  return wanted;
}

std::size_t bytes_for(const FactorSets& factors) {
  std::size_t bytes = 0;
  for (const FactorSet& set : factors) bytes += FactorLattice::bytes_needed(set);
  return bytes;
}

}  // namespace

ChoiceList::ChoiceList(const NestProblem& problem, const Hierarchy& machine, const ChoiceRules& rules)
    : axes_(machine.axes.size()), lattice_memory_(bytes_for(problem.factors)) {
  Arena arena(lattice_memory_);
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!lattices_[d].build(problem.factors[d], arena)) {  // more divisors than a node can number
      complete_ = false;
      return;
    }
  symmetric_ = is_symmetric(problem, machine);
  representative_ = rules.representative;
  const Int most = most_steps(rules, product_of(problem.layer.bounds));
  if (most == 0) return;
  std::size_t visited = 0;
  const auto take = [&](const SpatialChoice& choice) {
    if (++visited % poll_interval == 0 && rules.go_on)
      complete_ =
          rules.go_on(choices_.capacity() * sizeof(SpatialChoice) + bounds_.capacity() * sizeof(double) +
                      classes_.size() * (axes_ * sizeof(choice.node.front()) + sizeof(std::string)));
    if (symmetric_ && mirror(choice) < choice) return complete_;  // its mirror image is listed
    if (rules.allows && !rules.allows(choice)) return complete_;
    const double bound = rules.bound(temporal_steps(choice, lattices_, axes_));
    if (bound >= rules.worth) return complete_;
    if (representative_ && !classes_.try_emplace(class_of(choice), choices_.size()).second) return complete_;
    choices_.push_back(choice);
    bounds_.push_back(bound);
    return complete_;
  };
  try {
    SpatialEnumerator(problem, machine, lattices_, most).run(take);
  } catch (const std::bad_alloc&) {  // the system has less memory than the budget
    choices_.resize(bounds_.size());
    complete_ = false;
  }
}

std::string ChoiceList::class_of(const SpatialChoice& choice) const {
  SpatialChoice one = representative_(choice);
  if (symmetric_) one = std::min(one, mirror(one));
  return {reinterpret_cast<const char*>(one.node.data()), axes_ * sizeof(one.node.front())};
}

std::optional<std::size_t> ChoiceList::find(const SpatialChoice& wanted) const {
  if (representative_) {
    const auto found = classes_.find(class_of(wanted));
    return found == classes_.end() ? std::nullopt : std::optional(found->second);
  }
  for (const SpatialChoice& choice : {wanted, mirror(wanted)}) {
    const auto found = std::lower_bound(choices_.begin(), choices_.end(), choice);
    if (found != choices_.end() && *found == choice)
      return static_cast<std::size_t>(found - choices_.begin());
  }
  return std::nullopt;
}

SpatialFactors ChoiceList::spatial(std::size_t i) const { return factors_of(choices_[i], lattices_); }

Int least_steps(const NestProblem& problem, const Hierarchy& machine) {
  Int steps = product_of(problem.layer.bounds);
  for (const Axis& axis : machine.axes) steps = ceil_divide(steps, axis.size);
  return steps;
}

}  // namespace nestor
