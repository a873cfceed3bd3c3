// Several searches as parts of one run: the limits that are left to the next one, what it may take as known,
// its progress as part of the whole, and its history joined to those before. Parts may follow one another on
// one problem, or solve several problems of which the best solution counts (merge_alternatives).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "solver/engine/engine.h"

namespace nestor {

/// Progress of one search as part of the whole. Where it minimises a part of the objective only, its costs
/// count `weight` times, and its bound `rest` less.
class PartOfWhole final : public EngineObserver {
 public:
  struct Before {
    std::uint64_t work = 0;  ///< done by earlier parts
    double best = no_cost;   ///< what this part has to beat
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

/// The cost of the best solution; no_cost without one.
template <typename Outcome>
double best_cost(const Outcome& outcome) {
  return outcome.best.empty() ? no_cost : outcome.best.front().cost;
}

/// What the second of two parts has to start from.
template <typename Outcome>
PartOfWhole::Before after_part(const Outcome& first) {
  return {first.counts.expanded, best_cost(first)};
}

/// What a part has done, added to what others have.
template <typename Part, typename Whole>
void add_counts(const Part& part, Whole& whole) {
  whole.counts.add(part.counts);
  whole.branches_opened += part.branches_opened;
  whole.rounds += part.rounds;
}

/// The counts and the history of both parts.
template <typename Outcome>
void add_history(const Outcome& first, Outcome& second) {
  for (auto& [work, cost] : second.incumbents) work += first.counts.expanded;
  second.incumbents.insert(second.incumbents.begin(), first.incumbents.begin(), first.incumbents.end());
  add_counts(first, second);
}

/// The work that is left. A search may end a little above its limit: it finishes the turns of its last round.
template <typename Outcome>
EngineOptions with_work_left(const Outcome& first, EngineOptions options) {
  options.work_limit -= std::min(options.work_limit, first.counts.expanded);
  return options;
}

/// What a second search of the same objective has after the first.
template <typename Outcome>
EngineOptions with_bound_known(const Outcome& first, EngineOptions options) {
  options = with_work_left(first, options);
  options.known_bound = std::max(options.known_bound, first.bound);
  return options;
}

/// How far a problem is solved.
struct Proof {
  Status status = Status::infeasible;
  double bound = no_cost;  ///< no solution costs less
};

/// Whether a search ended before it had an answer.
constexpr bool is_cut_short(Status status) {
  return status != Status::optimal && status != Status::infeasible && status != Status::gap_reached;
}

/// Two problems of which the better solution counts; one without any solution adds nothing.
///
/// The bound: a solution of the whole is one of either problem, so none costs less than the lesser of the two
/// bounds. That holds, too, where the second was searched only for what beats the first: then the least cost
/// of the first is among its bounds. The status: where both are solved, the cheaper optimum is the whole's.
/// Where one has come within a gap, so has the whole: its bound is one of the two, and its cost no higher
/// than what that bound was compared with. Where one was cut short, so is the whole. A problem that nobody
/// searches because an earlier one was cut short counts as cut short itself: its bound is what is known of it
/// anyway.
inline Proof merge_alternatives(const Proof& first, const Proof& second) {
  if (second.status == Status::infeasible) return first;
  if (first.status == Status::infeasible) return second;
  Status status = is_cut_short(first.status) ? first.status : second.status;
  if (status == Status::optimal) status = first.status;
  return {status, std::min(first.bound, second.bound)};
}

}  // namespace nestor
