#include <algorithm>

#include "heuristics/simd/methods.h"
#include "heuristics/simd/nestor.h"
#include "model/simd/emit.h"
#include "solver/host/executor.h"

namespace nestor::simd {

namespace {

/// Work that one second of one worker is planned to hold; a slower machine is stopped by the clock instead.
constexpr double planned_rate = 15e6;

std::uint64_t planned_work(const ScheduleRequest& request) {
  if (request.planned_work != 0) return request.planned_work;
  const auto fits_time = static_cast<std::uint64_t>(request.workers * request.time_limit * planned_rate);
  const std::uint64_t fits = request.work_limit == 0 ? fits_time : std::min(fits_time, request.work_limit);
  return std::max<std::uint64_t>(fits, 1);
}

}  // namespace

bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  const auto executor = make_executor(ExecutorKind::tbb, run.request.threads);
  const auto count = static_cast<std::size_t>(run.request.workers);
  result.planned_work = planned_work(run.request);
  NestorPlan plan;
  plan.work = result.planned_work / count;
  std::vector<NestorWorker> workers;
  workers.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    workers.emplace_back(run.problem, static_cast<std::uint32_t>(i), run.request.seed, plan);

  std::size_t leader = 0;
  bool bound_is_thorough = false;
  for (;;) {
    executor->run(count, [&](std::size_t i) { workers[i].round(); });
    work = 0;
    for (std::size_t i = 0; i < count; ++i) {
      work += workers[i].work();
      if (workers[i].best().copies < workers[leader].best().copies) leader = i;
    }
    const Copies copies = workers[leader].best().copies;
    if (copies == impossible) return false;
    run.campaign.note(copies, work);
    if (!bound_is_thorough && copies > result.bound.copies && copies <= outputs_elsewhere(run.problem)) {
      bound_is_thorough = true;
      LowerBound bound = lower_bound(run.problem, run.request.recompute, BoundEffort::thorough);
      if (bound.copies > result.bound.copies) result.bound = std::move(bound);
    }
    if (copies <= result.bound.copies || run.campaign.over(work)) break;
    if (std::all_of(workers.begin(), workers.end(), [](const auto& worker) { return worker.finished(); })) {
      result.completed = true;
      break;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (workers[i].at_cycle_start()) workers[i].offer(workers[leader].best());
  }
  const Found& best = workers[leader].best();
  Sequence sequence(run.problem, best.order);
  sequence.assign(best.order, best.arrays);
  result.schedule = emit(run.netlist, sequence, best.working, best.transfers);
  result.copies = best.copies;
  return true;
}

}  // namespace nestor::simd
