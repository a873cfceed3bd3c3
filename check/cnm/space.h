// All mappings of a kernel (docs/models/cnm.md, "Map"), and whether each of them ends by a rule, a bound or
// an estimate. Mappings that leave a tasklet the same work have one program for each block and order.
#pragma once

#include <functional>
#include <initializer_list>
#include <set>
#include <string>

#include "check/cnm/pim.h"

namespace nestor::check::cnm {

/// Nothing but what is listed takes fewer picoseconds than the limit.
template <typename Mapping>
struct KernelClaim {
  Wide limit = 0;
  std::set<Mapping> listed;
};

/// Cycles of programs as the proof says of them, by form_key().
using Estimates = std::map<Tuple, Fraction>;
/// Equal where programs are.
Tuple form_key(const CnmProblem& problem, const Form& form);

/// Why the proof does not show the claim; nothing if it does. And how programs ended.
struct FollowedKernel {
  std::string failure;
  std::size_t works = 0, illegal = 0, bounded = 0, estimated = 0;
};
FollowedKernel follow(const CnmProblem& problem, const KernelClaim<KernelMapping>& claim,
                      const Estimates& estimates);
/// Streams are stepped through: a proof need not list any.
FollowedKernel follow(const PimProblem& problem, const KernelClaim<PimMapping>& claim);

/// Tries all works in parallel until one fails; what `failure` says of the first that failed, or nothing.
std::string first_failure(std::size_t works, const std::function<std::string(std::size_t)>& failure);
/// A mapping's tuples as text: "(1,2) (3,4)".
std::string tuples_text(std::initializer_list<const Tuple*> tuples);

/// What a member of the space costs; nothing if it is none, or not legal.
struct KernelCost {
  Fraction cycles, time;
};
std::optional<KernelCost> cost_of(const CnmProblem& problem, const KernelMapping& mapping);
std::optional<KernelCost> cost_of(const PimProblem& problem, const PimMapping& mapping);

/// Of dims with several steps every order; the others last.
std::vector<Tuple> orders_of(const Tuple& steps);
Tuple times_each(const Tuple& a, const Tuple& b);

}  // namespace nestor::check::cnm
