// Heuristic search for good mappings of a loop-nest space. The bounds of the exact search serve as
// priorities: they determine the next spatial choice to try and how loops are placed below it.
//
// - Construction: below a choice, a beam search over its labels (solver/search/label_beam.h) places loops in
//   the same order as the exact search. Each further beam of a choice is twice as wide and continues where
//   the previous one ended.
// - Improvement: at the first beam of a choice, the choices that differ from it by one move or one exchange
//   of factors are queued. They are opened later, and their loops are placed anew.
// - Restarts: at intervals, the next choice to open is a random one, or the one with the least bound of those
//   computed without tables.
//
// Choices wait for their next beam in a queue, in the order of their bounds. Every finished beam of a choice
// adds a share of the cost to the choice's position in the queue, so unpromising choices yield to new ones.
// The opening of choices and the beams are balanced by counts of their work, not by time, so no result
// depends on time.
//
// Skipped choices stay open with their bounds, so least_open() is a lower bound on the cost of all mappings
// not found.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "base/random.h"
#include "heuristics/nest/neighbours.h"
#include "solver/search/label_search.h"
#include "solver/search/tolerance.h"

namespace nestor::nest {

struct BeamLimits {
  std::uint64_t work = std::numeric_limits<std::uint64_t>::max();  ///< choices opened plus labels expanded
  /// Work without a better mapping after which the search ends. If more work than this was done up to the
  /// last improvement, that amount applies instead.
  std::uint64_t patience = 20000;
  std::uint64_t seed = 1;
  const StopSignal* stop = nullptr;
};

enum class BeamEnd : std::uint8_t { exhausted, idle, work, stopped, out_of_memory };

/// The space must outlive the search, which uses it exclusively.
template <typename Space, typename Storage>
class BeamSearch {
 public:
  using Solution = typename Space::Solution;
  using Run = typename Space::Run;

  /// Memory that the search itself needs for each choice of the space, without the labels of open choices.
  static constexpr std::size_t bytes_per_choice = 64;

  BeamSearch(Space& space, Storage storage, const BeamLimits& limits)
      : space_(space),
        storage_(storage),
        limits_(limits),
        random_(limits.seed),
        states_(space.branch_count()) {
    order_.resize(states_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
    std::vector<Int> steps(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      states_[i].bound = space.branch_bound(i);
      steps[i] = space.choices().steps(i);
    }
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (states_[a].bound != states_[b].bound) return states_[a].bound < states_[b].bound;
      return steps[a] < steps[b];
    });
  }

  /// Sets the cost of a known mapping. The search accepts only cheaper ones.
  void accept_below(double cost) {
    best_cost_ = cost;
    last_gain_ = work();
  }
  /// Sets the choice that is tried next.
  void begin_with(std::size_t choice) { start_ = static_cast<std::uint32_t>(choice); }

  /// Continues until the search ends, or until its work reaches `pause`. Calls `improved(cost, solution)` for
  /// every better mapping. Returns the reason why the search ended, or nothing if it did not.
  template <typename Improved>
  std::optional<BeamEnd> run(std::uint64_t pause, Improved improved) {
    if (start_ && !is_over() && !states_[*start_].seen) look_at(*start_);
    while (!is_over() && work() < pause) {
      const bool explores = beams_.empty() || looking_ <= beaming_;
      if (explores && look_further()) continue;
      if (beams_.empty()) {
        end_ = BeamEnd::exhausted;
        break;
      }
      run_beam(improved);
    }
    return end_;
  }

  double best_cost() const { return best_cost_; }
  /// Returns the choice of the best mapping found.
  std::size_t best_choice() const { return best_choice_; }
  /// Returns a lower bound on the cost of all mappings other than the best one found.
  double least_open() const {
    double least = no_cost;
    for (const State& state : states_) least = std::min(least, state.bound);
    return least;
  }
  /// Counts work that the caller has done for this search.
  void spend(std::uint64_t work) { spent_ += work; }
  std::uint64_t work() const { return spent_ + opened_ + counts_.expanded; }
  const SearchCounts& counts() const { return counts_; }
  std::uint64_t opened() const { return opened_; }

 private:
  static constexpr double share_of_a_beam = 0.03;
  static constexpr std::uint64_t work_of_a_look = 30;  // in label expansions
  static constexpr std::uint32_t first_width = 4;
  static constexpr std::uint8_t most_doublings = 10;
  static constexpr std::uint64_t first_looks = 4;

  struct State {
    // Lower bound on the cost of the choice's mappings that are not found yet.
    double bound = 0;
    std::unique_ptr<Run> run;
    bool seen = false;
    std::uint8_t beams = 0;
  };
  struct Entry {
    double key;
    std::uint32_t choice;
    // The greatest entry comes first in the queue.
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.key != b.key ? a.key > b.key : a.choice > b.choice;
    }
  };

  bool is_over() {
    if (end_) return true;
    const std::uint64_t patience = std::max(limits_.patience, last_gain_);
    if (work() >= limits_.work)
      end_ = BeamEnd::work;
    else if (limits_.stop != nullptr && limits_.stop->requested())
      end_ = BeamEnd::stopped;
    else if (work() - last_gain_ >= patience && best_cost_ < no_cost)
      end_ = BeamEnd::idle;
    return end_.has_value();
  }

  // Opens one more choice. Returns false if all choices are open or not worth opening.
  bool look_further() {
    if (states_.empty()) return false;
    const std::uint64_t turn = looks_++;
    if (turn >= first_looks && turn % 4 != 0) {
      while (!neighbours_.empty()) {
        const Entry next = neighbours_.top();
        neighbours_.pop();
        if (states_[next.choice].seen) continue;
        look_at(next.choice);
        return true;
      }
    }
    if (turn % 8 == 4) {
      const auto any = static_cast<std::uint32_t>(random_.below(states_.size()));
      if (is_worth(any)) {
        look_at(any);
        return true;
      }
    }
    for (; next_ < order_.size(); ++next_) {
      if (!is_worth(order_[next_])) continue;
      look_at(order_[next_]);
      return true;
    }
    while (!neighbours_.empty()) neighbours_.pop();
    return false;
  }

  bool is_worth(std::uint32_t choice) const {
    return !states_[choice].seen && states_[choice].bound < slightly_below(best_cost_);
  }

  void look_at(std::uint32_t choice) {
    State& state = states_[choice];
    state.seen = true;
    ++opened_;
    looking_ += work_of_a_look;
    state.run = space_.open(choice, storage_);
    if (!state.run) {
      end_ = BeamEnd::out_of_memory;
      return;
    }
    state.bound = std::max(state.bound, state.run->least_open());
    keep(choice);
  }

  void propose_neighbours(std::uint32_t choice) {
    const State& state = states_[choice];
    for_each_neighbour(space_.choices(), choice, [&](std::size_t other) {
      if (is_worth(static_cast<std::uint32_t>(other)))
        neighbours_.push({state.bound, static_cast<std::uint32_t>(other)});
    });
  }

  // Puts a choice into the queue for its next beam, unless its bound shows that no further beam is
  // worthwhile.
  void keep(std::uint32_t choice) {
    State& state = states_[choice];
    if (state.bound >= slightly_below(best_cost_)) {
      state.run.reset();
      return;
    }
    const double scale = std::abs(best_cost_ < no_cost ? best_cost_ : state.bound);
    beams_.push({state.bound + scale * share_of_a_beam * state.beams, choice});
  }

  template <typename Improved>
  void run_beam(Improved& improved) {
    const std::uint32_t choice = beams_.top().choice;
    beams_.pop();
    State& state = states_[choice];
    if (state.bound >= slightly_below(best_cost_)) {
      state.run.reset();
      return;
    }
    if (state.beams == 0) propose_neighbours(choice);
    const SearchCounts before = state.run->counts();
    const std::uint32_t width = first_width << std::min(state.beams, most_doublings);
    const SearchBudget budget{.work = limits_.work - work(), .stop = limits_.stop};
    const SearchEnd end = state.run->beam(width, slightly_below(best_cost_), budget);
    SearchCounts done = state.run->counts();
    done.subtract(before);
    counts_.add(done);
    beaming_ += done.expanded + 1;
    if (end == SearchEnd::out_of_memory) end_ = BeamEnd::out_of_memory;
    if (state.run->best_cost() < best_cost_) {
      best_cost_ = state.run->best_cost();
      best_choice_ = choice;
      last_gain_ = work();
      improved(best_cost_, state.run->solution());
    }
    if (end == SearchEnd::out_of_memory) return;
    state.bound = std::max(state.bound, state.run->least_open());
    if (state.beams < std::numeric_limits<std::uint8_t>::max()) ++state.beams;
    keep(choice);
  }

  Space& space_;
  Storage storage_;
  BeamLimits limits_;
  Random random_;
  std::vector<State> states_;
  std::vector<std::uint32_t> order_;
  std::size_t next_ = 0;  // position in order_
  std::optional<std::uint32_t> start_;
  std::priority_queue<Entry> beams_, neighbours_;
  double best_cost_ = no_cost;
  std::uint32_t best_choice_ = 0;
  std::uint64_t last_gain_ = 0;  // work at the last improvement
  std::uint64_t looks_ = 0, opened_ = 0, spent_ = 0;
  std::uint64_t looking_ = 0, beaming_ = 0;
  SearchCounts counts_;
  std::optional<BeamEnd> end_;
};

}  // namespace nestor::nest
