#include "heuristics/chip/incumbents.h"

#include "heuristics/chip/improve.h"

namespace nestor::chip {
namespace {

// Rows of all schedules tried from one start: some seconds on the largest networks.
constexpr std::uint64_t improving_effort = 8'000'000;
// The fastest schedule need not be proved to be a start.
constexpr std::uint64_t fast_nodes = 200;

}  // namespace

std::vector<Decisions> first_schedules(const Problem& problem, const CompileRequest& request,
                                       std::vector<Decisions> baselines, Executor& executor,
                                       StopSource& stop) {
  if (request.objective == Objective::latency && !request.limits.any()) return baselines;
  CompileRequest fastest;
  fastest.levels = request.levels;
  fastest.work_limit = fast_nodes;
  fastest.search = request.search;
  const auto fast = compile(problem, fastest, baselines, executor, stop);
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
