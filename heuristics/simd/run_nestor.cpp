// Method nestor: parallel workers (nestor_worker.h) that anneal schedules and share the best schedule.
#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

#include "heuristics/simd/methods.h"
#include "heuristics/simd/nestor_worker.h"
#include "model/simd/emit.h"
#include "solver/engine/executor.h"

namespace nestor::simd {

/// Planned work per second and worker; the clock stops a slower machine early.
static constexpr double planned_rate = 15e6;

std::uint64_t planned_work(const ScheduleRequest& request) {
  if (request.planned_work != 0) return request.planned_work;
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();  // largest value of an option
  const double in_time = searches_of(request) * request.time_limit * planned_rate;
  const std::uint64_t fits_time = in_time < 9e18 ? static_cast<std::uint64_t>(in_time) : most;
  const std::uint64_t fits = request.work_limit == 0 ? fits_time : std::min(fits_time, request.work_limit);
  return std::clamp<std::uint64_t>(fits, 1, most);
}

namespace {

Schedule written(const MethodRun& run, const Found& found, const Stop& stop = {}) {
  Sequence sequence(run.problem, found.order);
  sequence.assign(found.order, found.arrays);
  return emit(run.netlist, sequence, found.working, found.transfers, stop);
}

/// The workers of a run, the best of their schedules, and their total work. A round can be interrupted at any
/// point. Its results are used up to the first worker that did not complete it, or whose work reaches the
/// limit. A limit on work can therefore reproduce an interruption by the clock.
class Team {
 public:
  Team(const MethodRun& run, const NestorPlan& plan, std::uint64_t work_before)
      : run_(&run),
        executor_(make_executor(ExecutorKind::tbb, run.request.threads)),
        took_part_(static_cast<std::size_t>(searches_of(run.request))),
        counted_(took_part_.size(), 0),
        work_(work_before) {
    for (std::size_t i = 0; i < took_part_.size(); ++i)
      workers_.emplace_back(run.problem, static_cast<std::uint32_t>(i), run.request.seed, plan, &run.netlist,
                            [&run] { return run.control.stopped(); });
  }

  /// Returns the best result, including schedules that the evaluator cannot describe.
  const Found& best() const { return elsewhere_.copies < best_.copies ? elsewhere_ : best_; }
  std::uint64_t work() const { return work_; }
  bool finished() const {
    return std::all_of(workers_.begin(), workers_.end(),
                       [](const auto& worker) { return worker.finished(); });
  }

  bool endless() const {
    return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) { return worker.endless(); });
  }

  /// Runs a round; returns false if it was interrupted.
  bool round() {
    RunControl& control = run_->control;
    executor_->run(workers_.size(), [&](std::size_t i) {
      took_part_[i] = workers_[i].round() ? 1 : 0;
      // Once the first worker has a schedule, the run may stop at any time, because it can return this
      // schedule.
      const bool found =
          workers_[i].best().copies != impossible || workers_[i].elsewhere().copies != impossible;
      if (i == 0 && found) control.has_schedule();
    });
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (took_part_[i] == 0) return false;
      if (workers_[i].best().copies < best_.copies && !note(workers_[i].best())) return false;
      work_ += workers_[i].work() - std::exchange(counted_[i], workers_[i].work());
      if (workers_[i].elsewhere().copies < elsewhere_.copies) elsewhere_ = workers_[i].elsewhere();
      if (control.out_of_work(work_)) return false;
    }
    return true;
  }

  /// Offers the best schedule of all workers to each worker that is at the start of a cycle.
  void share() {
    for (auto& worker : workers_)
      if (worker.at_cycle_start()) worker.offer(best_);
  }

 private:
  /// Notes a new best result. For a large netlist, records its schedule immediately, because recording takes
  /// long and a signal may arrive at any time. Returns false if a signal interrupts the recording; the result
  /// is then discarded.
  bool note(const Found& found) {
    Found noted = found;
    if (run_->problem.gate_count() > Constructions::most_annealed) {
      Schedule schedule = written(*run_, found, [this] { return run_->control.stopped_by_signal(); });
      if (schedule.instructions.empty()) return false;
      noted.schedule = std::make_shared<Schedule>(std::move(schedule));
    }
    best_ = std::move(noted);
    return true;
  }

  const MethodRun* run_;
  std::unique_ptr<Executor> executor_;
  std::deque<NestorWorker> workers_;
  std::vector<std::uint8_t> took_part_;  ///< true for each worker that completed the last round
  std::vector<std::uint64_t> counted_;   ///< part of each worker's work that work_ includes
  Found best_, elsewhere_;
  std::uint64_t work_;
};

}  // namespace

bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  result.planned_work = planned_work(run.request);
  NestorPlan plan;
  plan.work = result.planned_work / static_cast<std::uint64_t>(searches_of(run.request));
  Team team(run, plan, work);
  for (;;) {
    const bool whole = team.round();
    work = team.work();
    const Copies copies = team.best().copies;
    if (copies != impossible) {
      run.control.note(copies, work);
      run.raise_bound(copies, result.planned_work, result.bound);
      if (copies <= result.bound.copies) break;
    }
    if (team.finished()) {
      result.completed = true;
      break;
    }
    if (!whole || run.control.over(work)) break;
    team.share();
  }
  const Found& best = team.best();
  if (best.copies == impossible) return false;
  result.effort_spent = !result.completed && team.endless() && !run.control.stop().interrupted();
  result.schedule = best.schedule ? std::move(*best.schedule) : written(run, best);
  result.copies = best.copies;
  return true;
}

}  // namespace nestor::simd
