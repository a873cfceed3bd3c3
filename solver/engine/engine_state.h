// State of an engine's run (state.h): the engine's data at the end of a round, the labels of every open
// branch, and the data that the space has collected. A resumed run continues exactly as the original run
// would have, because the engine's decisions depend only on this state and its options.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/status.h"
#include "solver/engine/concepts.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/state.h"

namespace nestor {

/// Bounds and counts of a run after the last round that expanded labels.
struct EngineStanding {
  std::vector<double> bounds;  ///< bound of each branch
  std::uint64_t rounds = 0;
  std::uint64_t branches_opened = 0;
};

/// A branch of a run.
template <typename Run>
struct EngineBranch {
  double bound = 0;          ///< lower bound on all remaining solutions of the branch
  bool seen = false;         ///< true once opened; `bound` then includes the bound of the root
  std::unique_ptr<Run> run;  ///< search of the branch while it is open
};

/// A sweep: advances every branch to one target, in one or more rounds.
struct EngineSweep {
  double target = 0;
  std::uint64_t work_before = 0;
  std::vector<std::size_t> waiting{};  ///< branches that still need a turn, from `next` on
  std::size_t next = 0;
};

/// The turn of one branch in a round, and its result.
struct EngineTurn {
  std::size_t branch = 0;
  bool dives = false;
  bool opened = false;
  double root_bound = no_bound;  ///< bound of a branch that was only opened
  SearchCounts before{};         ///< counts of the branch before the turn
  SearchCounts done{};           ///< counts of the turn
  double best_before = no_cost;
  SearchEnd end = SearchEnd::reached;
};

/// Returns the number of turns, from `first` on, that cannot exceed the work `left` together, but at least
/// one. `most` is the limit on the expansions of a turn. If no work is left, returns the number of all turns.
template <typename Run>
std::size_t turns_within(const std::vector<EngineBranch<Run>>& branches, const std::vector<EngineTurn>& turns,
                         std::size_t first, std::uint64_t most, std::uint64_t left) {
  std::size_t count = 0;
  for (std::uint64_t work = 0; first + count < turns.size(); ++count) {
    const auto& branch = branches[turns[first + count].branch];
    work += most_table_work(branch.run.get()) + (branch.seen ? most : 0);
    if (work > left && left > 0 && count > 0) break;
  }
  return count;
}

template <SearchSpace Space>
class Engine;

/// Saves and restores the state of a run.
template <typename Run>
struct EngineState;

template <typename Space>
struct EngineState<Engine<Space>> {
  using Run = Engine<Space>;

  static void keep(Run& run) {
    run.keeper_->keep([&](StateWriter& state) { return exchange(run, state); });
  }

  /// Returns false, and leaves the run unchanged, if there is no valid state.
  static bool resume(Run& run) {
    return run.keeper_->begin([&](StateReader& state) {
      run.outcome_.branches = run.space_.branch_count();
      run.branches_.resize(run.outcome_.branches);
      if (exchange(run, state)) return true;
      run.branches_.clear();
      run.outcome_ = {};
      run.saved_ = {};
      run.step_ = Run::first_step;
      run.sweep_.reset();
      run.dives_ = 0;
      run.attempts_ = {};
      run.gap_reached_ = run.ended_ = false;
      return false;
    });
  }

 private:
  // For a finished run, only the outcome and the space's data are stored.
  template <typename State>
  static bool exchange(Run& run, State& state) {
    std::uint64_t branches = run.branches_.size();
    return state.values(branches) && branches == run.branches_.size() &&
           state.values(run.step_, run.dives_, run.gap_reached_, run.ended_) &&
           run.attempts_.exchange(state) && exchange_outcome(run, state) &&
           (run.ended_ || exchange_search(run, state)) && run.space_.exchange(state);
  }

  template <typename State>
  static bool exchange_search(Run& run, State& state) {
    return exchange_sweep(run, state) && exchange_progress(run, state) && exchange_branches(run, state);
  }

  template <typename State>
  static bool exchange_outcome(Run& run, State& state) {
    auto& outcome = run.outcome_;
    const auto pair = [&](auto& item) { return state.values(item.first, item.second); };
    return state.values(outcome.status, outcome.bound, outcome.counts, outcome.branches_opened,
                        outcome.rounds) &&
           is_final(outcome.status) &&
           state.list(outcome.best,
                      [&](auto& found) {
                        return state.values(found.cost, found.branch, found.solution) &&
                               is_whole(found.solution);
                      }) &&
           state.list(outcome.incumbents, pair) && state.list(outcome.left_open, pair);
  }

  template <typename State>
  static bool exchange_sweep(Run& run, State& state) {
    bool underway = run.sweep_.has_value();
    if (!state.values(underway)) return false;
    if (!underway) return true;
    if (!run.sweep_) run.sweep_.emplace();
    auto& sweep = *run.sweep_;
    return state.values(sweep.target, sweep.work_before, sweep.next) && state.array(sweep.waiting) &&
           std::all_of(sweep.waiting.begin(), sweep.waiting.end(),
                       [&](std::size_t branch) { return branch < run.branches_.size(); });
  }

  template <typename State>
  static bool exchange_progress(Run& run, State& state) {
    auto& saved = run.saved_;
    return state.array(saved.bounds) && state.values(saved.rounds, saved.branches_opened) &&
           (saved.bounds.empty() || saved.bounds.size() == run.branches_.size());
  }

  // A branch without a search has only a bound and a flag. Most branches are of this kind.
  template <typename State>
  static bool exchange_branches(Run& run, State& state) {
    for (std::size_t i = 0; i < run.branches_.size(); ++i) {
      auto& branch = run.branches_[i];
      bool open = branch.run != nullptr;
      if (!state.values(branch.bound, branch.seen, open)) return false;
      if (!open) continue;
      if (!branch.run) branch.run = run.space_.open(i, HostStorage(run.memory_));
      if (!branch.run || !branch.run->exchange(state)) return false;
    }
    return true;
  }
};

}  // namespace nestor
