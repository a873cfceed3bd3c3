#include "mapper/simd/prove_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "mapper/simd/bound_raiser.h"
#include "model/simd/search/schedule_space.h"
#include "solver/engine/engine.h"
#include "solver/engine/parts.h"

namespace nestor::simd {

namespace {

/// Work limit of the heuristic, per gate. A time limit would make the schedule depend on the clock.
constexpr std::uint64_t brief_work_per_gate = 20'000;
constexpr std::uint32_t endless_copies = 1U << 30U;
/// Number of labels after which the load bound is computed, and the maximum number of cases that it may
/// examine for one array.
constexpr std::uint64_t labels_without_loads = 500;
constexpr std::size_t most_cases = 4'000'000;
/// Number of labels after which the backward search runs, and the maximum number of needs that it may store.
constexpr std::uint64_t labels_without_end = 20'000;
constexpr std::size_t most_needs = 300'000;

/// Runs the heuristic within the remaining limits. If `found`, an earlier brief run has found a schedule,
/// which is used unless this run finds a better one.
bool run_heuristic(const MethodRun& run, bool found, ScheduleResult& result, std::uint64_t& work) {
  ScheduleResult other;
  other.bound = result.bound;
  const bool other_found = run_nestor(run, other, work);
  if (found && (!other_found || result.copies <= other.copies)) {
    other.schedule = std::move(result.schedule);
    other.copies = result.copies;
  }
  result = std::move(other);
  result.effort_spent = false;  // a proof was requested, so the run is not finished without one
  return found || other_found;
}

using ScheduleEngine = Engine<ScheduleSpace<HostStorage>>;

/// Searches for schedules with fewer than `below` copies, or for any schedule if `below` is infinite. `work`
/// is the work spent so far.
ScheduleEngine::Outcome prove(const MethodRun& run, const ExactBranch& branch, double below,
                              std::uint64_t work, const EngineOptions& options) {
  ScheduleSpace<HostStorage> space(branch);
  const auto executor = make_executor(ExecutorKind::serial, 1);  // there is only one branch
  const std::size_t tables = branch.bytes();
  MemoryBudget memory(run.request.memory_limit - std::min(tables, run.request.memory_limit));
  PartOfWhole part(&run.control, {work, below});
  ScheduleEngine engine(space, *executor, memory, options, run.control.stop(), &part);
  constexpr std::size_t no_branch = ~std::size_t{0};
  if (below == no_cost) return engine.run();
  return engine.run({{below, no_branch, {}}});
}

/// Searches in stages: first with bounds that are fast to compute, which suffice for most problems, then with
/// the load bound, then with the backward search.
ScheduleEngine::Outcome prove_in_stages(const MethodRun& run, ExactBranch& branch, double below,
                                        std::uint64_t work) {
  EngineOptions options;
  if (run.control.work_limit() != 0) options.work_limit = run.control.work_limit() - work;
  const auto at_most = [](EngineOptions part, std::uint64_t labels) {
    part.work_limit = std::min(part.work_limit, labels);
    return part;
  };
  // Without a known schedule, cost bounds prune nothing, so stages are useless.
  if (below == no_cost) return prove(run, branch, below, work, options);
  auto outcome = prove(run, branch, below, work, at_most(options, labels_without_loads));
  const auto is_open = [&] {
    return outcome.status == Status::work_limit && outcome.counts.expanded < options.work_limit;
  };
  const auto cheapest = [&] { return std::min(below, best_cost(outcome)); };
  const auto go_on = [&](std::uint64_t labels) {
    const auto rest = at_most(with_bound_known(outcome, options), labels);
    auto next = prove(run, branch, cheapest(), work + outcome.counts.expanded, rest);
    if (best_cost(next) >= cheapest()) next.best = std::move(outcome.best);
    add_history(outcome, next);
    outcome = std::move(next);
  };
  const auto stopped = [&] { return run.control.stopped(); };
  if (is_open()) {
    branch.count_loads(static_cast<std::uint32_t>(cheapest()),
                       std::min(most_cases, run.request.memory_limit / (8 * LoadBound::bytes_a_case)),
                       stopped);
    go_on(labels_without_end);
  }
  if (is_open()) {
    constexpr std::size_t bytes_a_need = 1000;
    branch.enable_backward_search(static_cast<std::uint32_t>(cheapest()),
                                  std::min(most_needs, run.request.memory_limit / bytes_a_need), stopped);
    go_on(options.work_limit);
  }
  return outcome;
}

}  // namespace

bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work,
               std::optional<Status>& ended) {
  if (run.problem.value_count() > MachineSets::most_values) return run_heuristic(run, false, result, work);
  ScheduleRequest brief = run.request;
  const std::uint64_t enough = brief_work_per_gate * run.problem.gate_count();
  brief.work_limit = brief.work_limit == 0 ? enough : std::min(brief.work_limit, enough);
  brief.planned_work = enough;
  brief.workers = 2;
  brief.begin = run.control.begin();
  RunControl brief_control(brief);
  BoundRaiser raiser(run.problem, brief, brief_control);
  const MethodRun heuristic{run.netlist, run.problem, brief, brief_control, run.bound, raiser.of_run()};
  const bool found = run_nestor(heuristic, result, work);
  result.planned_work = 0;
  result.completed = result.effort_spent = false;
  if (found) {
    run.control.note(result.copies, work);
    if (result.copies <= result.bound.copies) return true;
  }
  if (run.control.over(work)) return found;

  // If the heuristic found no schedule, the search may still find one on a tight machine.
  auto branch = ExactBranch::make(run.problem, found ? result.copies - 1 : endless_copies);
  if (!branch) return run_heuristic(run, found, result, work);  // too many arrays
  auto outcome = prove_in_stages(run, *branch, found ? result.copies : no_cost, work);
  work += outcome.counts.expanded;
  result.labels = outcome.counts;
  const bool cheaper = !outcome.best.empty() && (!found || outcome.best.front().cost < result.copies);
  result.completed = outcome.status == Status::optimal;
  // With recomputation allowed, a schedule could still exist.
  if (outcome.status != Status::infeasible || !run.request.recompute) ended = outcome.status;
  if (!found && !cheaper) return false;
  if (cheaper) {
    result.copies = static_cast<std::uint32_t>(outcome.best.front().cost);
    result.schedule = branch->schedule(run.netlist, outcome.best.front().solution);
  }
  if (outcome.status == Status::memory_limit) result.status = Status::memory_limit;
  const auto proved = static_cast<std::uint32_t>(std::ceil(outcome.bound));
  // The search computes every gate once; its proof does not cover schedules with recomputation.
  if (!run.request.recompute && (proved > result.bound.copies || result.completed)) {
    result.bound.copies = proved;
    result.bound.argument = result.completed ? "exhaustive search found nothing cheaper"
                                             : "exhaustive search left nothing cheaper open";
  }
  run.control.note(result.copies, work);
  return true;
}

}  // namespace nestor::simd
