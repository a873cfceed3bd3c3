#include "solver/simplex/dual_ratio_test.h"

#include <algorithm>
#include <cmath>

namespace nestor::simplex {
namespace {

// Candidates that block at the same step, within the tolerance, form a group. If the pivots of a group are
// below this value, an earlier group with a larger pivot is preferred to a longer step.
constexpr double good_pivot = 1e-5;

}  // namespace

void DualRatioTest::collect(const Core& core, const SparseVector& alpha, double direction) {
  candidates_.clear();
  for (const Index j : alpha.index) {
    const double a = alpha.value[j] * direction;
    const double size = std::abs(a);
    if (size < zero_tolerance || core.place[j] == Place::basic || core.is_fixed(j)) continue;
    const double d = core.reduced[j];
    const double range = core.upper[j] - core.lower[j];
    if (core.place[j] == Place::at_zero)
      candidates_.push_back({j, size, std::abs(d), range});
    else if (core.place[j] == Place::at_lower && a > 0)
      candidates_.push_back({j, size, d, range});
    else if (core.place[j] == Place::at_upper && a < 0)
      candidates_.push_back({j, size, -d, range});
  }
}

// Moves the candidates that block first, within the tolerance, to [begin, end), and returns `end`.
std::size_t DualRatioTest::next_group(std::size_t begin, double tolerance) {
  double limit = infinity;
  for (std::size_t k = begin; k < candidates_.size(); ++k)
    limit = std::min(limit, (std::max(candidates_[k].reduced, 0.0) + tolerance) / candidates_[k].size);
  const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = std::partition(first, candidates_.end(), [limit](const Candidate& candidate) {
    return candidate.reduced <= limit * candidate.size;
  });
  return static_cast<std::size_t>(last - candidates_.begin());
}

DualRatioTest::Result DualRatioTest::run(const Core& core, const SparseVector& alpha, double violation) {
  entering_ = no_index;
  flips_.clear();
  tied_.clear();
  collect(core, alpha, violation > 0 ? 1.0 : -1.0);
  double slope = std::abs(violation);
  // [begin, end) is the current group; best_* is the group to use.
  std::size_t begin = 0;
  std::size_t best_begin = 0;
  std::size_t best_end = 0;
  double best_size = 0;
  while (begin < candidates_.size()) {
    const std::size_t end = next_group(begin, core.dual_tolerance);
    double largest = 0;
    for (std::size_t k = begin; k < end; ++k) {
      slope -= candidates_[k].size * candidates_[k].range;
      largest = std::max(largest, candidates_[k].size);
    }
    if (largest >= good_pivot || largest > best_size) {
      best_begin = begin;
      best_end = end;
      best_size = largest;
    }
    if (slope < 0) break;
    begin = end;
  }
  // The slope does not become negative at any breakpoint: the dual is unbounded along this row.
  if (slope >= 0) return Result::none;
  double largest = 0;
  for (std::size_t k = best_begin; k < best_end; ++k)
    if (candidates_[k].size > largest) {
      largest = candidates_[k].size;
      entering_ = candidates_[k].variable;
    }
  for (std::size_t k = 0; k < best_begin; ++k) flips_.push_back(candidates_[k].variable);
  for (std::size_t k = best_begin; k < best_end; ++k)
    if (candidates_[k].variable != entering_) tied_.push_back(candidates_[k].variable);
  return Result::found;
}

}  // namespace nestor::simplex
