// All mappings of a kernel (docs/models/cnm.md, "Map"), each of which must end by a rule, a bound or an
// estimate. Mappings that give a tasklet the same work share one program for each block and order.
#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>

#include "check/cnm/pim.h"

namespace nestor::check::cnm {

/// The claim: only listed mappings take fewer picoseconds than the limit.
template <typename Mapping>
struct KernelClaim {
  Wide limit = 0;
  std::set<Mapping> listed;
};

/// Cycles of programs as stated in the proof, by form_key().
using Estimates = std::map<Tuple, Fraction>;
/// Returns a key that is equal for equal programs.
Tuple form_key(const CnmProblem& problem, const Form& form);

/// The outcome: the reason why the proof does not show the claim, or an empty string, and the counts of how
/// programs ended.
struct FollowedKernel {
  std::string failure;
  std::size_t works = 0, illegal = 0, bounded = 0, estimated = 0;
};
FollowedKernel follow(const CnmProblem& problem, const KernelClaim<KernelMapping>& claim,
                      const Estimates& estimates);
/// Follows a claim by simulating streams, so the proof need not list any.
FollowedKernel follow(const PimProblem& problem, const KernelClaim<PimMapping>& claim);

/// Tries all works in parallel until one fails. Returns the text of the first that failed, or an empty
/// string.
std::string first_failure(std::size_t works, const std::function<std::string(std::size_t)>& failure);
/// Returns the tuples of a mapping as text: "(1,2) (3,4)".
std::string tuples_text(std::initializer_list<const Tuple*> tuples);

/// Cost of a member of the space. cost_of() returns nothing for an illegal mapping or one outside the space.
struct KernelCost {
  Fraction cycles, time;
};
std::optional<KernelCost> cost_of(const CnmProblem& problem, const KernelMapping& mapping);
std::optional<KernelCost> cost_of(const PimProblem& problem, const PimMapping& mapping);

/// Returns every order of the dims with several steps, followed by the others.
std::vector<Tuple> orders_of(const Tuple& steps);
Tuple times_each(const Tuple& a, const Tuple& b);

}  // namespace nestor::check::cnm
