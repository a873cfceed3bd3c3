#include "mapper/simd/bound_raiser.h"

#include <utility>

#include "heuristics/simd/constructions.h"
#include "model/simd/search/machine_sets.h"

namespace nestor::simd {
namespace {

/// Share (1/20) of the planned work that the bound from live values may use.
constexpr std::uint64_t bound_share = 20;

void keep_higher(LowerBound& bound, LowerBound other) {
  if (other.copies > bound.copies) bound = std::move(other);
}

}  // namespace

void BoundRaiser::raise(std::uint32_t copies, std::uint64_t planned_work, LowerBound& bound) {
  // For problems that the exact search supports, computing the bounds takes only milliseconds. A time limit
  // does not interrupt this, so the bound of a run does not depend on whether a time or a work limit stops
  // it.
  const bool is_small = problem_.value_count() <= MachineSets::most_values;
  const auto stopped = [&] { return !is_small && control_.stopped(); };
  if (!is_thorough_ && copies > bound.copies && bound.copies < outputs_elsewhere(problem_)) {
    is_thorough_ = true;
    keep_higher(bound, lower_bound(problem_, request_.recompute, BoundEffort::thorough, stopped));
  }
  if (!knows_alive_ && copies > bound.copies && problem_.gate_count() <= Constructions::most_annealed) {
    knows_alive_ = true;
    keep_higher(bound, alive_bound(problem_, planned_work / bound_share, stopped));
  }
}

}  // namespace nestor::simd
