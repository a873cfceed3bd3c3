// Several searches as parts of one run: the remaining limits and known results for the next part, its
// progress as part of the whole, and the merging of histories. Parts are either consecutive searches of one
// problem, or searches of several problems of which the best solution is wanted (merge_alternatives).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "solver/engine/engine.h"

namespace nestor {

/// Progress of one search as part of the whole. If it minimises only a part of the objective, its costs and
/// bounds are multiplied by `weight`, and `rest` is subtracted from its bounds.
class PartOfWhole final : public EngineObserver {
 public:
  struct Before {
    std::uint64_t work = 0;  ///< work of earlier parts
    double best = no_cost;   ///< best cost of earlier parts
  };
  PartOfWhole(EngineObserver* observer, const Before& before, double weight = 1, double rest = 0)
      : observer_(observer), work_(before.work), best_(before.best), weight_(weight), rest_(rest) {}
  void round_ended(const EngineProgress& progress) override {
    if (observer_ == nullptr) return;
    const double cost = weight_ * progress.incumbent;
    const bool improved = progress.improved && cost < best_;
    best_ = std::min(best_, cost);
    observer_->round_ended({best_, weight_ * progress.bound - rest_, work_ + progress.work, improved});
  }
  void turns_taken(const std::vector<std::uint64_t>& work) override {
    if (observer_ != nullptr) observer_->turns_taken(work);
  }
  StateKeeper* states() override { return observer_ != nullptr ? observer_->states() : nullptr; }

 private:
  EngineObserver* observer_;
  std::uint64_t work_;
  double best_;
  double weight_;
  double rest_;
};

/// Returns the cost of the best solution, or no_cost if there is none.
template <typename Outcome>
double best_cost(const Outcome& outcome) {
  return outcome.best.empty() ? no_cost : outcome.best.front().cost;
}

/// Returns the work and best cost after the first part, from which a second part starts.
template <typename Outcome>
PartOfWhole::Before after_part(const Outcome& first) {
  return {first.counts.expanded, best_cost(first)};
}

/// Adds the counts of a part to those of the whole.
template <typename Part, typename Whole>
void add_counts(const Part& part, Whole& whole) {
  whole.counts.add(part.counts);
  whole.branches_opened += part.branches_opened;
  whole.rounds += part.rounds;
}

/// Adds the counts and the history of the first part to the second.
template <typename Outcome>
void add_history(const Outcome& first, Outcome& second) {
  for (auto& [work, cost] : second.incumbents) work += first.counts.expanded;
  second.incumbents.insert(second.incumbents.begin(), first.incumbents.begin(), first.incumbents.end());
  add_counts(first, second);
}

/// Returns the options with the work limit reduced by the work of the first search, which may slightly exceed
/// its limit, because the work of a table is rounded up.
template <typename Outcome>
EngineOptions with_work_left(const Outcome& first, EngineOptions options) {
  options.work_limit -= std::min(options.work_limit, first.counts.expanded);
  return options;
}

/// Returns the options of a second search for the same objective: the remaining work, and the first search's
/// bound.
template <typename Outcome>
EngineOptions with_bound_known(const Outcome& first, EngineOptions options) {
  options = with_work_left(first, options);
  options.known_bound = std::max(options.known_bound, first.bound);
  return options;
}

/// Status and lower bound of a problem.
struct Proof {
  Status status = Status::infeasible;
  double bound = no_cost;  ///< lower bound on the cost of all solutions
};

/// True if a limit or an interruption ended the search.
constexpr bool is_cut_short(Status status) {
  return status != Status::optimal && status != Status::infeasible && status != Status::gap_reached;
}

/// Merges the proofs of two problems of which the better solution is wanted. An infeasible problem changes
/// nothing.
///
/// Bound: a solution of the whole solves one of the two problems, so it costs at least the lesser bound. This
/// also holds if the second search considered only solutions better than the first one's best: its bound is
/// then at most that cost. Status: if both problems are solved, the cheaper optimum is the optimum of the
/// whole. If one search reached its gap, so did the whole: the bound of the whole is one of the two bounds,
/// and its cost is at most the cost that was compared with this bound. If one search was cut short, so was
/// the whole. A problem that is skipped because an earlier search was cut short is also treated as cut short,
/// with its known bound.
inline Proof merge_alternatives(const Proof& first, const Proof& second) {
  if (second.status == Status::infeasible) return first;
  if (first.status == Status::infeasible) return second;
  Status status = is_cut_short(first.status) ? first.status : second.status;
  if (status == Status::optimal) status = first.status;
  return {status, std::min(first.bound, second.bound)};
}

}  // namespace nestor
