// The engine: searches the branches of a space to proved optimality, in parallel and deterministically.
//
// A space provides numbered branches, each with a cheap lower bound. Opening a branch creates a search that
// can be advanced to a target bound. The engine raises the target in sweeps, starting from the least bound. A
// sweep advances to the target every branch that has open labels below it, in rounds of one turn per branch.
// The turns of a round run in any order, on any number of threads. Their cut is the incumbent's cost at the
// start of the round. Their outcomes are merged in a fixed order at the end of the round. The increase of the
// target depends only on counts. Therefore objective, bound, solution and work are the same for any number of
// threads and any timing.
//
// The result is exact because a branch has found every solution below its least open bound. The run ends when
// no branch has open labels below the incumbent. concepts.h lists the requirements on a space.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "solver/engine/concepts.h"
#include "solver/engine/engine_options.h"
#include "solver/engine/engine_outcome.h"
#include "solver/engine/engine_state.h"
#include "solver/engine/executor.h"
#include "solver/engine/host_storage.h"
#include "solver/engine/incumbent_source.h"
#include "solver/engine/observer.h"
#include "solver/engine/state.h"
#include "solver/engine/stop_source.h"
#include "solver/search/label_search.h"
#include "solver/search/tolerance.h"

namespace nestor {

template <SearchSpace Space>
class Engine {
 public:
  using Solution = typename Space::Solution;
  using Run = typename Space::Run;

  using Found = FoundSolution<Solution>;
  using Outcome = EngineOutcome<Solution>;

  Engine(Space& space, Executor& executor, MemoryBudget& memory, const EngineOptions& options,
         StopSource& stop, EngineObserver* observer = nullptr)
      : space_(space),
        executor_(executor),
        memory_(memory),
        options_(options),
        stop_(stop),
        observer_(observer) {}

  /// `known` contains solutions known in advance; those of no branch have different numbers above all branch
  /// numbers of the space. If the observer has stored a state of this run, the run resumes from it.
  /// `source`, if any, is asked for better solutions between rounds.
  Outcome run(std::vector<Found> known = {}, IncumbentSource<Found>* source = nullptr) {
    source_ = source;
    if constexpr (can_be_kept)
      if (observer_ != nullptr) keeper_ = observer_->states();
    resume() ? note_spent() : begin(std::move(known));
    kept_work_ = outcome_.counts.expanded;
    while (!ended_ && !limit_ && (sweep_ || aim_higher())) {
      if (!reach()) break;
      const std::uint64_t work = outcome_.counts.expanded - sweep_->work_before;
      if (work < little_work || work < outcome_.counts.expanded / 4) step_ *= 2;
      sweep_.reset();
    }
    if (!ended_) finish();
    return std::move(outcome_);
  }

 private:
  static constexpr double first_step = 1.0 / 4096;  // first increase of the target, as a share of the bound
  static constexpr std::uint64_t little_work = 1000;
  static constexpr std::uint64_t quantum = 1000;  // most expansions of one branch in one round
  static constexpr std::size_t round_size = 32;   // most branches searched in one round
  static constexpr std::size_t exhausted_in_a_round = 16;
  static constexpr std::size_t opened_in_a_round = 64;  // opening a branch can take milliseconds
  static constexpr std::size_t most_dives = 16;  // branches that start with a dive, to find a first incumbent

  using BranchState = EngineBranch<Run>;
  static constexpr bool can_be_kept = KeepsState<Run> && KeepsState<Space> && KeptValue<Solution>;
  friend struct EngineState<Engine>;

  void begin(std::vector<Found> known) {
    const std::size_t count = space_.branch_count();
    outcome_.branches = count;
    branches_.resize(count);
    for (std::size_t i = 0; i < count; ++i) branches_[i].bound = space_.branch_bound(i);
    for (Found& found : known) accept(std::move(found));
  }

  double incumbent() const {
    return outcome_.best.size() < options_.keep_best ? no_cost : outcome_.best.back().cost;
  }
  double best_cost() const { return outcome_.best.empty() ? no_cost : outcome_.best.front().cost; }

  double least_bound() const {
    double least = no_cost;
    for (const BranchState& branch : branches_) least = std::min(least, branch.bound);
    return least;
  }

  // Returns the target of the next sweep, or nothing once the incumbent is proved (or within the gap).
  std::optional<double> next_target() {
    const double bound = least_bound();
    const double proved = std::max(bound, options_.known_bound);
    const double wanted_below = slightly_below(incumbent());
    if (bound == no_cost || proved >= wanted_below) return std::nullopt;
    const double gap = incumbent() - proved;
    if (incumbent() < no_cost &&
        (gap <= options_.absolute_gap || gap <= options_.relative_gap * std::abs(incumbent()))) {
      gap_reached_ = true;
      return std::nullopt;
    }
    if (options_.exhaust_branches) return wanted_below;
    const double above = std::nextafter(bound, no_cost);
    return std::min(std::max(above, bound + std::abs(bound) * step_), wanted_below);
  }

  // Starts a sweep. Returns false if no higher target is needed.
  bool aim_higher() {
    const auto target = next_target();
    if (!target) return false;
    sweep_ = EngineSweep{.target = *target, .work_before = outcome_.counts.expanded};
    auto& waiting = sweep_->waiting;
    for (std::size_t i = 0; i < branches_.size(); ++i)
      if (branches_[i].bound < *target) waiting.push_back(i);
    std::stable_sort(waiting.begin(), waiting.end(), [this](std::size_t a, std::size_t b) {
      return branches_[a].bound < branches_[b].bound;
    });
    return true;
  }

  // Advances every branch with open labels below the target, round by round. Returns false if a limit stopped
  // the run.
  bool reach() {
    auto& waiting = sweep_->waiting;
    for (std::size_t& next = sweep_->next; next < waiting.size();) {
      if (!ask_source()) return false;
      const double aim = std::min(sweep_->target, slightly_below(incumbent()));
      std::vector<EngineTurn> turns;
      std::size_t searches = 0;
      std::size_t openings = 0;
      for (; next < waiting.size() && openings < opened_in_a_round &&
             searches < (options_.exhaust_branches ? exhausted_in_a_round : round_size);
           ++next) {
        const BranchState& branch = branches_[waiting[next]];
        if (branch.bound >= aim) continue;
        const bool dives = branch.seen && dives_ < most_dives;
        dives_ += static_cast<std::size_t>(dives);
        ++(branch.seen ? searches : openings);
        turns.push_back({.branch = waiting[next], .dives = dives});
      }
      if (!run_round(turns, aim)) return false;
    }
    return true;
  }

  // Asks the source for a better solution if an attempt is due and the work limit allows it. The result of an
  // attempt that was stopped is discarded. Returns false if the work limit is reached.
  bool ask_source() {
    std::uint64_t& expanded = outcome_.counts.expanded;
    const std::uint64_t budget = attempts_.budget(expanded, outcome_.branches_opened);
    if (source_ == nullptr || budget == 0 || budget > options_.work_limit - expanded) return true;
    const auto found = source_->improve(outcome_.best.empty() ? nullptr : &outcome_.best.front(), budget);
    if (stop_.requested()) return true;
    expanded += budget;
    attempts_.attempted(expanded, outcome_.branches_opened);
    save_round();
    const double before = best_cost();
    if (found && found->cost < before) accept(*found);
    if (observer_) observer_->round_ended({best_cost(), valid_bound(), expanded, best_cost() < before});
    if (expanded >= options_.work_limit) note_limit(Status::work_limit);
    return !limit_;
  }

  // Gives each branch in `turns` one turn and then merges the results. As many turns run in parallel as
  // cannot exceed the work limit together, but at least one. Once the limit is reached, all further turns run
  // without work. The turns of a round that a run just completes within its limit therefore end as without a
  // limit.
  bool run_round(std::vector<EngineTurn>& turns, double target) {
    const double cut = slightly_below(incumbent());
    std::uint64_t left = options_.work_limit - outcome_.counts.expanded;
    const std::uint64_t most = options_.exhaust_branches && !turns.empty()
                                   ? std::max<std::uint64_t>(1, left / turns.size())
                                   : quantum;
    for (std::size_t first = 0; first < turns.size();) {
      const std::span<EngineTurn> group(&turns[first], turns_within(branches_, turns, first, most, left));
      const SearchBudget budget{
          .work = std::min(most, left), .all_work = left, .stop = &stop_, .dominance = options_.dominance};
      executor_.run(group.size(), [&](std::size_t i) {
        try {
          take_turn(group[i], target, cut, budget);
        } catch (const std::bad_alloc&) {  // memory outside the budget ran out
          group[i].end = SearchEnd::out_of_memory;
        }
      });
      for (const EngineTurn& turn : group) left -= std::min(left, turn.done.expanded);
      first += group.size();
    }
    ++outcome_.rounds;
    return merge(turns, target);
  }

  // The first turn of a branch only opens it. Its own bound then determines when it is searched.
  void take_turn(EngineTurn& turn, double target, double cut, const SearchBudget& budget) {
    BranchState& branch = branches_[turn.branch];
    if (branch.run) {
      turn.before = branch.run->counts();
      turn.best_before = branch.run->best_cost();
    }
    if (stop_.requested()) {
      turn.end = SearchEnd::stopped;
      return;
    }
    if (!branch.run) {
      branch.run = space_.open(turn.branch, HostStorage(memory_));
      turn.opened = true;
      if (!branch.run) {
        turn.end = SearchEnd::out_of_memory;
        return;
      }
    }
    if (branch.seen)
      turn.end = turn.dives ? branch.run->dive(cut, budget) : branch.run->advance(target, cut, budget);
    else
      turn.root_bound = first_bound(*branch.run, cut, budget);
    turn.done = branch.run->counts();
    turn.done.subtract(turn.before);
    // Only the bound of a new branch is needed. A run can open thousands, so their searches are dropped.
    if (!branch.seen && branch.run->untouched()) branch.run.reset();
  }

  // Merges the results of the turns in order. The first limit reached ends the run; the result is then false.
  // Branches still below the target get another turn.
  bool merge(std::vector<EngineTurn>& turns, double target) {
    if (cut_short(turns)) {
      note_limit(stop_.status());
      restore_round();
      return false;
    }
    bool improved = false;
    const std::uint64_t expanded_before = outcome_.counts.expanded;
    std::vector<std::uint64_t> work(turns.size(), 1);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      EngineTurn& turn = turns[i];
      BranchState& branch = branches_[turn.branch];
      outcome_.branches_opened += static_cast<std::uint64_t>(turn.opened);
      if (turn.end == SearchEnd::stopped) note_limit(stop_.status());
      if (turn.end == SearchEnd::out_of_memory) note_limit(Status::memory_limit);
      if (turn.end == SearchEnd::reached) {
        branch.seen = true;
        branch.bound = std::max(branch.bound, turn.root_bound);
      }
      outcome_.counts.add(turn.done);
      work[i] += turn.done.expanded;
      if (!branch.run) continue;
      if (branch.run->best_cost() < turn.best_before) {
        improved |= branch.run->best_cost() < best_cost();
        accept({branch.run->best_cost(), turn.branch, branch.run->solution()});
      }
      if (turn.end == SearchEnd::out_of_memory) continue;
      branch.bound = std::max(branch.bound, branch.run->least_open());
      if (branch.bound >= slightly_below(incumbent()) || branch.bound == no_cost || branch.run->untouched())
        leave(branch);
    }
    if (outcome_.counts.expanded > expanded_before) save_round();
    note_spent();
    if constexpr (HearsRounds<Space>) space_.round_ended();
    for (const EngineTurn& turn : turns)
      if (branches_[turn.branch].bound < target) sweep_->waiting.push_back(turn.branch);
    if (observer_ != nullptr) {
      observer_->turns_taken(work);
      observer_->round_ended({best_cost(), valid_bound(), outcome_.counts.expanded, improved});
    }
    if (!limit_ && keeper_ != nullptr && keeper_->is_due())
      keep();  // after the observers, whose data is part of the state
    return !limit_;
  }

  void leave(BranchState& branch) const {
    if constexpr (KeepsLabels<Run>)
      if (observer_ && observer_->needs_labels() && branch.run && branch.run->counts().expanded > 0 &&
          !branch.run->untouched())  // an untouched branch can be opened again
        observer_->branch_left(branch.run->kept());
    branch.run.reset();
  }

  // A round that the clock or a signal interrupts is discarded, together with all branches opened since the
  // last round that expanded labels. The run then ends in the state after that round. A run whose work limit
  // equals this run's work ends in the same state. Runs that exhaust branches, and runs without a solution so
  // far, use the results of the interrupted round.
  bool cut_short(const std::vector<EngineTurn>& turns) const {
    if (options_.exhaust_branches || outcome_.best.empty() || outcome_.counts.expanded == 0) return false;
    return std::any_of(turns.begin(), turns.end(),
                       [](const EngineTurn& turn) { return turn.end == SearchEnd::stopped; });
  }

  void save_round() {
    saved_.bounds.resize(branches_.size());
    for (std::size_t i = 0; i < branches_.size(); ++i) saved_.bounds[i] = branches_[i].bound;
    saved_.rounds = outcome_.rounds;
    saved_.branches_opened = outcome_.branches_opened;
  }

  void restore_round() {
    for (std::size_t i = 0; i < branches_.size(); ++i) branches_[i].bound = saved_.bounds[i];
    outcome_.rounds = saved_.rounds;
    outcome_.branches_opened = saved_.branches_opened;
  }

  void note_spent() {
    if (outcome_.counts.expanded >= options_.work_limit || outcome_.branches_opened >= options_.branch_limit)
      note_limit(Status::work_limit);
  }
  void note_limit(Status status) {
    if (!limit_) limit_ = status;
  }

  void accept(Found found) {
    if (found.cost < best_cost()) outcome_.incumbents.emplace_back(outcome_.counts.expanded, found.cost);
    keep_best(outcome_.best, std::move(found), options_.keep_best);
  }

  double valid_bound() const { return std::min(best_cost(), std::max(least_bound(), options_.known_bound)); }

  void finish() {
    const bool may_go_on = limit_ == Status::work_limit && !options_.ends_for_good;
    if (keeper_ != nullptr && may_go_on && outcome_.counts.expanded > kept_work_) keep();
    for (BranchState& branch : branches_) leave(branch);
    outcome_.bound = valid_bound();
    if (limit_) {
      outcome_.status = *limit_;
      list_left_open();
    } else if (outcome_.best.empty()) {
      outcome_.status = Status::infeasible;
    } else if (gap_reached_) {
      outcome_.status = Status::gap_reached;
    } else {
      outcome_.status = Status::optimal;
      outcome_.bound = best_cost();
    }
    ended_ = true;
    if (keeper_ != nullptr && is_final(outcome_.status) && !may_go_on) keep();
  }

  // The list may have millions of entries. If memory runs out, the run ends with its result but without the
  // list.
  void list_left_open() {
    try {
      for (std::size_t i = 0; i < branches_.size(); ++i)
        if (branches_[i].bound < slightly_below(incumbent()))
          outcome_.left_open.emplace_back(i, branches_[i].bound);
    } catch (const std::bad_alloc&) {
      outcome_.left_open = {};
    }
  }

  // resume() continues from a stored state, if there is one, and keep() stores a state (engine_state.h).
  bool resume() {
    if constexpr (can_be_kept) return keeper_ != nullptr && EngineState<Engine>::resume(*this);
    return false;
  }
  void keep() {
    if constexpr (can_be_kept) EngineState<Engine>::keep(*this);
  }

  Space& space_;
  Executor& executor_;
  MemoryBudget& memory_;
  EngineOptions options_;
  StopSource& stop_;
  EngineObserver* observer_;
  IncumbentSource<Found>* source_ = nullptr;
  AttemptSchedule attempts_;
  StateKeeper* keeper_ = nullptr;
  std::vector<BranchState> branches_;
  EngineStanding saved_;
  double step_ = first_step;
  std::optional<EngineSweep> sweep_;
  std::uint64_t kept_work_ = 0;  // work done before this run, if it resumed from a state
  std::optional<Status> limit_;
  std::size_t dives_ = 0;
  bool gap_reached_ = false;
  bool ended_ = false;  // true if the outcome is final
  Outcome outcome_;
};

}  // namespace nestor
