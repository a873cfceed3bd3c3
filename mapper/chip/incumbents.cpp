#include "mapper/chip/incumbents.h"

#include "heuristics/chip/improve.h"
#include "heuristics/chip/priority_schedule.h"

namespace nestor::chip {
namespace {

// Rows of all schedules tried from one start: some seconds on the largest networks.
constexpr std::uint64_t improving_effort = 8'000'000;
// The fastest schedule need not be proved to be a start.
constexpr std::uint64_t fast_nodes = 200;
constexpr std::uint64_t priority_seed = 1;

}  // namespace

std::vector<Decisions> first_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       std::vector<Decisions> baselines, Executor& executor,
                                       StopSource& stop) {
  std::vector<Decisions> fast_starts = baselines;
  if (auto made = priority_schedule(problem, request.levels, priority_seed, stop))
    fast_starts.push_back(std::move(*made));
  if (request.objective == CompileObjective::latency && !request.limits.any()) return fast_starts;
  CompileRequest fastest;
  fastest.levels = request.levels;
  fastest.work_limit = fast_nodes;
  fastest.search = request.search;
  const auto fast = compile(problem, fastest, fast_starts, executor, stop);
  if (fast.best) baselines.push_back(*fast.best);
  std::vector<Decisions> all = baselines;
  for (auto& start : baselines) {
    if (stop.requested()) break;
    start.levels = request.levels;
    all.push_back(improve(problem, request, std::move(start), improving_effort, stop));
  }
  return all;
}

}  // namespace nestor::chip
