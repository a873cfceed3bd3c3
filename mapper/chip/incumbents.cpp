#include "mapper/chip/incumbents.h"

#include <algorithm>
#include <limits>

#include "heuristics/chip/improve.h"
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

// Search for further initial schedules under a limit on peak power: schedules of low power within a number of
// cycles. This number grows in steps until a schedule meets the limit; a bisection then reduces it.
class PowerDescent {
 public:
  PowerDescent(const ChipProblem& problem, const CompileRequest& request, const StopSource& stop)
      : problem_(problem), request_(request), stop_(stop), gentle_(for_least_power(request)) {}

  std::vector<Decisions> run(const std::vector<Decisions>& bases) {
    Int least = std::numeric_limits<Int>::max();
    for (const auto& base : bases) least = std::min(least, evaluate(problem_, base).latency_cycles);
    Int low = 0;
    Int high = 0;
    for (const Int percent : {0, 5, 20, 80, 320}) {
      const Int cycles = least + least / 100 * percent;
      if (request_.limits.latency && cycles > *request_.limits.latency) return std::move(found_);
      if (keeps_within(cycles, bases)) {
        high = cycles;
        break;
      }
      low = cycles;
    }
    for (int half = 0; half < 5 && high - low > least / 100; ++half) {
      const Int middle = low + (high - low) / 2;
      (keeps_within(middle, bases) ? high : low) = middle;
    }
    return std::move(found_);
  }

 private:
  bool keeps_within(Int cycles, const std::vector<Decisions>& bases) {
    gentle_.limits.latency = cycles;
    bool kept = false;
    for (const auto& base : bases) {
      if (stop_.requested()) return false;
      if (evaluate(problem_, base).latency_cycles > cycles) continue;
      auto gentler = improve(problem_, gentle_, base, improving_effort / 2, stop_);
      if (exceeds(evaluate(problem_, gentler).peak_power, *request_.limits.peak_power)) continue;
      found_.push_back(std::move(gentler));
      kept = true;
    }
    return kept;
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  const StopSource& stop_;
  CompileRequest gentle_;
  std::vector<Decisions> found_;
};

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

std::vector<Decisions> first_schedules(const ChipProblem& problem, Levels levels,
                                       std::vector<Decisions> baselines, const StopSource& stop) {
  if (auto made = priority_schedule(problem, levels, priority_seed, stop))
    baselines.push_back(std::move(*made));
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
  for (const auto& each : first) add(each);
  if (request.limits.peak_power && request.objective != CompileObjective::peak_power)
    for (auto& gentle : PowerDescent(problem, request, stop).run(starts)) starts.push_back(std::move(gentle));
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
