// Verification of a claim over all mappings of a kernel (docs/models/cnm.md, "Map"). A rule, a bound or an
// estimate must exclude each mapping that is not listed. Mappings that assign the same work to a tasklet
// share one program for each block and order.
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
/// Returns a key. Forms with equal keys have the same program.
Tuple form_key(const CnmProblem& problem, const Form& form);

/// The outcome: the reason why the proof does not show the claim, or an empty string; the number of works;
/// and the numbers of programs (or streams) that are illegal, closed by bounds, or evaluated.
struct FollowedKernel {
  std::string failure;
  std::size_t works = 0, illegal = 0, bounded = 0, estimated = 0;
};
FollowedKernel follow(const CnmProblem& problem, const KernelClaim<KernelMapping>& claim,
                      const Estimates& estimates);
/// Verifies a claim by simulating streams, so the proof does not need to list streams.
FollowedKernel follow(const PimProblem& problem, const KernelClaim<PimMapping>& claim);

/// Checks all works in parallel until one fails. Returns the text of the first failure, or an empty string.
std::string first_failure(std::size_t works, const std::function<std::string(std::size_t)>& failure);
/// Returns the tuples of a mapping as text: "(1,2) (3,4)".
std::string tuples_text(std::initializer_list<const Tuple*> tuples);

/// Cost of a mapping: cycles of its program, and its total time in picoseconds. cost_of() returns nothing if
/// the mapping is illegal or outside the space.
struct KernelCost {
  Fraction cycles, time;
};
std::optional<KernelCost> cost_of(const CnmProblem& problem, const KernelMapping& mapping);
std::optional<KernelCost> cost_of(const PimProblem& problem, const PimMapping& mapping);

/// Returns every order of the dims that have several steps. Each order is followed by the other dims.
std::vector<Tuple> orders_of(const Tuple& steps);
Tuple times_each(const Tuple& a, const Tuple& b);

}  // namespace nestor::check::cnm
