// Exact schedules of small netlists: a heuristic schedule first, then a search for a cheaper one
// (best_first.h) until none is left or the limits end it; what is still open then is a lower bound. What is
// too large to search is left to the heuristic and all the limits allow.
#include <algorithm>

#include "heuristics/simd/best_first.h"
#include "heuristics/simd/methods.h"

namespace nestor::simd {

namespace {

/// What the heuristic may spend. By work, not by time: the schedule must not depend on the clock.
constexpr std::uint64_t brief_work_per_gate = 20'000;

/// The heuristic with all that the limits leave. `found`: the brief one has found a schedule, which stays if
/// this one finds nothing better.
bool run_heuristic_again(const MethodRun& run, bool found, ScheduleResult& result, std::uint64_t& work) {
  ScheduleResult other;
  other.bound = result.bound;
  const bool other_found = run_nestor(run, other, work);
  if (found && (!other_found || result.copies <= other.copies)) {
    other.schedule = std::move(result.schedule);
    other.copies = result.copies;
  }
  result = std::move(other);
  return found || other_found;
}

}  // namespace

bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  if (run.problem.value_count() > ExactSpace::most_values) return run_nestor(run, result, work);
  ScheduleRequest brief = run.request;
  const std::uint64_t enough = brief_work_per_gate * run.problem.gate_count();
  brief.work_limit = brief.work_limit == 0 ? enough : std::min(brief.work_limit, enough);
  brief.planned_work = enough;
  brief.workers = 2;
  brief.time_limit = std::max(0.0, brief.time_limit - run.campaign.seconds());
  Campaign brief_campaign(brief);
  const MethodRun heuristic{run.netlist, run.problem, brief, brief_campaign, run.bound};
  const bool found = run_nestor(heuristic, result, work);
  result.planned_work = 0;
  result.completed = false;
  if (found) {
    run.campaign.note(result.copies, work);
    if (result.copies <= result.bound.copies) return true;
  } else {
    // The machine may be too tight for the heuristic only: search up to a count no small netlist needs.
    result.copies = 16 * run.problem.gate_count() + run.problem.input_count() + 64;
  }
  if (run.campaign.over(work)) return found;

  const auto space = ExactSpace::make(run.problem, result.copies - 1);
  if (!space) return run_heuristic_again(run, found, result, work);  // too many arrays
  BestFirst search(*space, result.copies);
  const std::uint64_t before = work;
  const auto end = search.run([&] { return run.campaign.over(before + search.work()); });
  work = before + search.work();
  if (end == BestFirst::End::found) {
    result.schedule = space->schedule(run.netlist, search.steps());
    result.copies = search.bound();
  }
  if (!found && end != BestFirst::End::found) return false;
  const bool cut_short = end == BestFirst::End::stopped || end == BestFirst::End::out_of_memory;
  result.completed = !cut_short;
  if (end == BestFirst::End::out_of_memory) result.status = Status::memory_limit;
  // The search computes every gate once; what it proves says nothing about schedules that may do so again.
  const bool proves = !run.request.recompute;
  if (proves && (search.bound() > result.bound.copies || !cut_short)) {
    result.bound.copies = cut_short ? search.bound() : result.copies;
    result.bound.argument =
        cut_short ? "exhaustive search left nothing cheaper open" : "exhaustive search found nothing cheaper";
  }
  run.campaign.note(result.copies, work);
  return true;
}

}  // namespace nestor::simd
