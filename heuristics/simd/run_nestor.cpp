#include <algorithm>

#include "heuristics/simd/methods.h"
#include "heuristics/simd/nestor.h"
#include "model/simd/emit.h"
#include "solver/host/executor.h"

namespace nestor::simd {

namespace {

/// Work that one second of one worker is planned to hold; a slower machine is stopped by the clock instead.
constexpr double planned_rate = 15e6;

}  // namespace

bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  const auto executor = make_executor(ExecutorKind::tbb, run.request.threads);
  const auto count = static_cast<std::size_t>(std::max(2, executor->threads()));
  NestorPlan plan;
  plan.work = static_cast<std::uint64_t>(run.request.time_limit * planned_rate);
  if (run.request.work_limit != 0)
    plan.work = std::min<std::uint64_t>(plan.work, run.request.work_limit / count);
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
