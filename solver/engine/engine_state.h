// The state of an engine's run (state.h): what the engine knows at the end of a round, the labels of every
// branch that is open, and what the space has collected. A run that goes on from it does what the run that
// was kept would have done next: every decision of the engine depends on what is here, on its options, and on
// nothing else.
#pragma once

#include <algorithm>
#include <vector>

#include "base/status.h"
#include "solver/engine/concepts.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/state.h"

namespace nestor {

/// The bounds of a run when it last searched.
struct EngineStanding {
  std::vector<double> bounds;  ///< by branch
  std::uint64_t rounds = 0;
  std::uint64_t branches_opened = 0;
};

/// Raising every branch to one target, perhaps in several rounds.
struct EngineSweep {
  double target = 0;
  std::uint64_t work_before = 0;
  std::vector<std::size_t> waiting{};  ///< branches to take a turn, from `next` on
  std::size_t next = 0;
};

/// What one branch is to do in a round, and how that ended.
struct EngineTurn {
  std::size_t branch = 0;
  bool dives = false;
  bool opened = false;
  double root_bound = no_bound;  ///< of a branch that was only opened
  SearchCounts before{};
  double best_before = no_cost;
  SearchEnd end = SearchEnd::reached;
};

template <SearchSpace Space>
class Engine;

/// Takes a run's state out and puts it back.
template <typename Run>
struct EngineState;

template <typename Space>
struct EngineState<Engine<Space>> {
  using Run = Engine<Space>;

  static void keep(Run& run) {
    run.keeper_->keep([&](StateWriter& state) { return exchange(run, state); });
  }

  /// False leaves the run as it was.
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
      run.gap_reached_ = run.ended_ = false;
      return false;
    });
  }

 private:
  // Of a run that has ended only the outcome counts.
  template <typename State>
  static bool exchange(Run& run, State& state) {
    std::uint64_t branches = run.branches_.size();
    return state.values(branches) && branches == run.branches_.size() &&
           state.values(run.step_, run.dives_, run.gap_reached_, run.ended_) &&
           exchange_outcome(run, state) && (run.ended_ || exchange_search(run, state)) &&
           run.space_.exchange(state);
  }

  template <typename State>
  static bool exchange_search(Run& run, State& state) {
    return exchange_sweep(run, state) && exchange_standing(run, state) && exchange_branches(run, state);
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
  static bool exchange_standing(Run& run, State& state) {
    auto& standing = run.saved_;
    return state.array(standing.bounds) && state.values(standing.rounds, standing.branches_opened) &&
           (standing.bounds.empty() || standing.bounds.size() == run.branches_.size());
  }

  // Of branches that nobody has opened there is only the bound, which the space knows; most are of that kind.
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
