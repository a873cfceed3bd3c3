// MASIM in the common search framework. Method masim-paper is the procedure of the paper: R random
// constructions, then improvement passes on the best construction until R passes in a row bring no
// improvement.
//
// Method masim also derives the order of the file, as the authors' program does. A construction that is only
// slightly better than the order of the file can often be improved only slightly. Therefore, the order of the
// file is improved first, and the constructions compete with the result. This reproduces the published
// numbers of copies: 937 to 969 for `max`, instead of 1112 to 1164.
#include <algorithm>

#include "heuristics/simd/masim_machine.h"
#include "heuristics/simd/methods.h"
#include "heuristics/simd/priority_team.h"
#include "model/simd/evaluator.h"

namespace nestor::simd {

namespace {

constexpr std::uint64_t passes_before_constructions = 20;  // in units of R, the request's restarts

/// The last recorded schedule of a large netlist, in case a signal ends the run. A better schedule is
/// recorded once the work has doubled since the last recording.
class Written {
 public:
  Written(const MethodRun& run, PriorityTeam<MasimMachine>& team) : run_(&run), team_(&team) {}

  bool is_due() const {
    return run_->problem.gate_count() > most_written_at_the_end && team_->found() &&
           team_->best_cost() < copies && team_->work() >= 2 * work;
  }
  void write() {
    const std::uint64_t now = team_->work();
    const bool first = copies == impossible;
    Schedule better = team_->machine().record(run_->netlist, team_->best(), [&] {
      return first ? run_->control.stopped_by_signal() : run_->control.stopped();
    });
    if (better.instructions.empty()) return;
    schedule = std::move(better);
    copies = team_->best_cost();
    work = now;
  }

  Schedule schedule;
  std::uint32_t copies = impossible;
  std::uint64_t work = 0;

 private:
  const MethodRun* run_;
  PriorityTeam<MasimMachine>* team_;
};

}  // namespace

bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  std::vector<MasimMachine::Choice> file_order;
  file_order.reserve(run.problem.gate_count());
  for (std::uint32_t gate = 0; gate < run.problem.gate_count(); ++gate) file_order.push_back({gate, 0});

  const bool by_paper = run.request.method == ScheduleMethod::masim_paper;
  // The authors' machine has 8 arrays; the number is doubled for netlists that need more.
  const std::uint32_t limit =
      run.problem.array_limit() == 0 ? MasimMachine::most_arrays : run.problem.array_limit();
  for (std::uint32_t arrays = run.problem.home_arrays() + 7;; arrays *= 2) {
    PriorityTeam<MasimMachine> team(run, searches_of(run.request), arrays, work, [&](Stop stop) {
      return MasimMachine(run.problem, arrays, std::move(stop));
    });
    const auto stop = [&] {
      work = team.work();
      if (team.found()) run.control.note(team.best_cost(), work);
      return run.control.over(work) || (team.found() && team.best_cost() <= run.bound.copies);
    };
    // Nearly every pass improves a bad order, so a share of the work is reserved for constructions. The share
    // does not depend on the clock, so that the result of a completed run does not depend on the machine.
    const auto enough = [&] { return team.passes() >= passes_before_constructions * run.request.restarts; };
    Written written(run, team);
    const auto improve = [&](const auto& ends) {
      for (;;) {
        team.improve(run.request.restarts, [&] { return ends() || written.is_due(); });
        if (!written.is_due() || ends()) return;
        written.write();
      }
    };
    if (!by_paper) {
      if (!team.machine().stopped())
        team.construct(1, priority::NeverStop{},
                       [&](auto& search, Random&, bool, const auto&) { search.derive(file_order); });
      if (written.is_due()) written.write();
      if (run.request.improve) improve([&] { return enough() || stop(); });
    }
    const bool unfinished = by_paper || enough();
    const std::uint64_t improvements = team.improvements();
    const std::uint64_t constructions = std::max<std::uint64_t>(run.request.restarts, by_paper ? 1 : 0);
    for (std::uint64_t made = 0; made < constructions && !stop();) {
      made += team.construct(constructions - made, stop,
                             [](auto& search, Random&, bool, const auto& ends) { search.construct(ends); });
      if (written.is_due()) written.write();
    }
    if (!team.found()) {
      if (arrays < std::min(limit, MasimMachine::most_arrays) && !run.control.over(work)) continue;
      return false;
    }
    if (run.request.improve && (unfinished || team.improvements() > improvements)) improve(stop);
    result.completed = !stop();
    const bool signal =
        run.problem.gate_count() > most_written_at_the_end && run.control.stop().interrupted();
    if (signal && written.copies == impossible) return false;
    if (signal) work = written.work;  // a work limit of this value reproduces the recorded schedule
    result.copies = signal ? written.copies : team.best_cost();
    result.schedule = signal ? std::move(written.schedule) : team.machine().record(run.netlist, team.best());
    result.trials = team.constructions();
    result.passes = team.passes();
    return true;
  }
}

}  // namespace nestor::simd
