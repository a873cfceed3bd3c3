// Parallel priority searches of a run (heuristics/priority). In a round, each search runs one construction,
// derivation or improvement pass. The results are processed in the order of the searches, as if these had run
// one after another; then all searches continue from the best result. A result thus depends on the number of
// searches, but not on threads or time. If the clock interrupts a round, the results before the first
// interrupted search are used; a limit on work reproduces this point.
//
// A single search has no rounds; its work is counted as it proceeds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "heuristics/priority/priority.h"
#include "heuristics/simd/methods.h"
#include "model/simd/stop.h"
#include "solver/engine/executor.h"

namespace nestor::simd {

/// Limit on the number of pairs of a gate and an array, summed over the searches of a run. Each machine
/// stores several tables with one entry per pair.
inline constexpr std::uint64_t most_team_cells = std::uint64_t{1} << 23U;

template <typename Machine>
class PriorityTeam {
 public:
  using Search = priority::PrioritySearch<Machine>;
  using Choice = typename Machine::Choice;
  using Cost = typename Machine::Cost;

  /// Creates `searches` searches, fewer on large netlists. `make(stop)` returns a machine that may poll
  /// `stop`.
  template <typename Make>
  PriorityTeam(const MethodRun& run, int searches, std::uint32_t arrays, std::uint64_t work_before,
               const Make& make)
      : run_(&run), work_(work_before), before_(work_before) {
    const std::uint64_t cells = std::uint64_t{std::max(run.problem.gate_count(), 1U)} * arrays;
    const auto members =
        std::clamp<std::uint64_t>(most_team_cells / cells, 1, static_cast<std::uint64_t>(searches));
    if (members > 1) executor_ = make_executor(ExecutorKind::tbb, run.request.threads);
    for (std::size_t i = 0; i < members; ++i) {
      auto& member = members_.emplace_back(Random(seed_of(i)));
      const std::size_t gates = run.problem.gate_count();
      member.current.resize(gates);
      member.best.resize(gates);
      member.machine = std::make_unique<Machine>(make([this, &member] { return is_cut(member); }));
      member.search = std::make_unique<Search>(*member.machine, member.current, member.best, seed_of(i));
    }
  }
  PriorityTeam(const PriorityTeam&) = delete;
  PriorityTeam& operator=(const PriorityTeam&) = delete;

  bool found() const { return first().found(); }
  auto best_cost() const { return first().best_cost(); }
  std::span<const Choice> best() const { return first().best(); }
  /// Returns the work done, including the earlier work of the run.
  std::uint64_t work() const { return alone() ? before_ + members_.front().machine->work() : work_; }
  std::uint64_t constructions() const {
    return alone() ? first().statistics().constructions : constructions_;
  }
  std::uint64_t passes() const { return alone() ? first().statistics().passes : passes_; }
  std::uint64_t improvements() const { return alone() ? first().statistics().improvements : improvements_; }
  Machine& machine() { return *members_.front().machine; }

  /// Runs a round of at most `most` constructions, each by `make(search, random, is_first, stop)`, or one
  /// stretch of a single search. Returns the number of results used.
  template <typename Stop, typename Make>
  std::uint64_t construct(std::uint64_t most, const Stop& stop, const Make& make) {
    const bool is_first = constructions() == 0;
    const std::uint64_t made = round(most, stop, [&](Member& member, const auto& ends) {
      make(*member.search, member.random, is_first, ends);
    });
    constructions_ += made;
    return made;
  }

  /// Runs passes until `patience` of them in a row bring no improvement, or `stop()` returns true.
  template <typename Stop>
  void improve(std::uint64_t patience, const Stop& stop) {
    if (!found()) return;
    if (alone()) return members_.front().search->improve(patience, stop);
    for (idle_ = 0; idle_ < patience && !stop();)
      passes_ +=
          round(patience, stop, [](Member& member, const auto& ends) { member.search->improve_once(ends); });
  }

 private:
  struct Member {
    explicit Member(const Random& ties) : random(ties) {}
    std::vector<Choice> current, best;
    std::unique_ptr<Machine> machine;
    std::unique_ptr<Search> search;
    Random random;              ///< for the orders that the search derives
    std::uint64_t counted = 0;  ///< work of the machine that is already included in the total
    bool cut = false;           ///< true if the clock or a signal stopped it in this round
  };

  std::uint64_t seed_of(std::size_t i) const { return run_->request.seed + i * 0x9e3779b97f4a7c15ULL; }
  const Search& first() const { return *members_.front().search; }
  bool alone() const { return members_.size() == 1; }

  bool is_cut(Member& member) const {
    if (member.search == nullptr) return run_->control.stopped();  // the machine is under construction
    if (alone())
      return run_->control.stopped() || (member.search->found() && run_->control.out_of_work(work()));
    member.cut = member.cut || run_->control.stopped();
    const std::uint64_t limit = run_->control.work_limit();
    return member.cut ||
           (member.search->found() && limit != 0 && work_ + member.machine->work() - member.counted > limit);
  }

  /// Runs one stretch of work in each of at most `count` searches, or in the first search alone until there
  /// is a schedule. Returns the number of results used.
  template <typename Stop, typename Work>
  std::uint64_t round(std::uint64_t count, const Stop& stop, const Work& work) {
    if (alone()) {
      const std::uint64_t before = constructions();
      work(members_.front(), stop);
      return constructions() - before;
    }
    const auto taking_part =
        found() ? static_cast<std::size_t>(std::min<std::uint64_t>(count, members_.size())) : 1;
    const bool found_before = found();
    const Cost best_before = found_before ? best_cost() : Cost{};
    executor_->run(taking_part, [&](std::size_t i) {
      members_[i].cut = false;
      work(members_[i], [this, &member = members_[i]] { return is_cut(member); });
    });
    return merge(taking_part, found_before, best_before);
  }

  /// `cost` is the best cost before the round, if a schedule was `found`.
  std::uint64_t merge(std::size_t taking_part, bool found, Cost cost) {
    std::uint64_t counted = 0;
    // Member with the best result; initially the first, which stores the best result before the round.
    const Member* best = &members_.front();
    for (std::size_t i = 0; i < taking_part; ++i) {
      Member& member = members_[i];
      if (member.cut || (found && run_->control.out_of_work(work_))) break;
      work_ += member.machine->work() - std::exchange(member.counted, member.machine->work());
      ++counted;
      ++idle_;
      if (!member.search->found() || (found && !(member.search->best_cost() < cost))) continue;
      best = &member;
      cost = member.search->best_cost();
      found = true;
      idle_ = 0;
      ++improvements_;
    }
    if (best->search->found())
      for (Member& member : members_)
        if (&member != best) member.search->adopt(*best->search);
    return counted;
  }

  const MethodRun* run_;
  std::unique_ptr<Executor> executor_;
  std::deque<Member> members_;
  std::uint64_t work_, before_;
  std::uint64_t constructions_ = 0, passes_ = 0, improvements_ = 0, idle_ = 0;
};

}  // namespace nestor::simd
