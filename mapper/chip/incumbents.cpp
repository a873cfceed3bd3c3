#include "mapper/chip/incumbents.h"

#include <algorithm>
#include <limits>

#include "heuristics/chip/improve.h"
#include "heuristics/chip/power_schedule.h"
#include "heuristics/chip/priority_schedule.h"

namespace nestor::chip {
namespace {

// Effort for improving one schedule (about a second): limit on the number of rows in all segments tried.
constexpr std::uint64_t improving_effort = 4'000'000;
constexpr std::uint64_t priority_seed = 1;

bool is_open(const CompileOutcome& outcome) {
  return outcome.status == Status::work_limit || outcome.status == Status::heuristic;
}

bool equal(const Decisions& a, const Decisions& b) {
  return a.segments == b.segments && a.operators == b.operators;
}

// Returns the request with peak power as its objective instead of a limit.
CompileRequest for_least_power(CompileRequest request) {
  request.objective = CompileObjective::peak_power;
  request.limits.peak_power.reset();
  return request;
}

// Returns the schedules of `known` whose cuts are those of no schedule in `first`.
std::vector<Decisions> with_new_cuts(const std::vector<Decisions>& known,
                                     const std::vector<Decisions>& first) {
  const auto same_cuts = [](const Decisions& a, const Decisions& b) {
    return std::equal(a.segments.begin(), a.segments.end(), b.segments.begin(), b.segments.end(),
                      [](const auto& left, const auto& right) { return left.last == right.last; });
  };
  std::vector<Decisions> result;
  for (const auto& each : known)
    if (std::none_of(first.begin(), first.end(), [&](const auto& other) { return same_cuts(each, other); }))
      result.push_back(each);
  return result;
}

// Alternates between minimising power and latency: after power decreases in the same cycles, a faster
// schedule may meet the limit on power.
void take_turns(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                const StopSource& stop) {
  CompileRequest gentle = for_least_power(request);
  double before = std::numeric_limits<double>::infinity();
  while (outcome.best && outcome.objective < before && !stop.requested() &&
         !closes(outcome.bound, outcome.objective, request.objective)) {
    before = outcome.objective;
    gentle.limits.latency = evaluate(problem, *outcome.best).latency_cycles;
    auto gentler = improve(problem, gentle, *outcome.best, improving_effort, stop);
    offer(problem, request, improve(problem, request, std::move(gentler), improving_effort, stop), outcome);
  }
}

}  // namespace

std::vector<Decisions> first_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       std::vector<Decisions> baselines, const StopSource& stop) {
  if (auto made = priority_schedule(problem, request.levels, priority_seed, stop))
    baselines.push_back(std::move(*made));
  for (auto& made : power_schedules(problem, request, baselines, stop)) baselines.push_back(std::move(made));
  return baselines;
}

void improve_known(const ChipProblem& problem, const CompileRequest& request,
                   const std::vector<Decisions>& first, CompileOutcome& outcome, const StopSource& stop) {
  if (!is_open(outcome)) return;
  std::vector<Decisions> starts;
  const auto add = [&](Decisions start) {
    start.levels = request.levels;
    if (std::none_of(starts.begin(), starts.end(), [&](const auto& other) { return equal(other, start); }))
      starts.push_back(std::move(start));
  };
  if (outcome.best) add(*outcome.best);
  for (const auto& each : outcome.known) add(each);
  for (const auto& each : power_schedules(problem, request, with_new_cuts(outcome.known, first), stop))
    add(each);
  for (const auto& each : first) add(each);
  for (auto& start : starts) {
    if (stop.requested()) break;
    offer(problem, request, start, outcome);
    offer(problem, request, improve(problem, request, std::move(start), improving_effort, stop), outcome);
    if (outcome.best && closes(outcome.bound, outcome.objective, request.objective)) break;
  }
  if (request.limits.peak_power && request.objective == CompileObjective::latency)
    take_turns(problem, request, outcome, stop);
  if (outcome.best && closes(outcome.bound, outcome.objective, request.objective))
    outcome.status = Status::optimal;
  outcome.bound = std::min(outcome.bound, outcome.objective);
}

}  // namespace nestor::chip
