// The methods of scheduling, as the front door calls them (mapper/simd/make_schedule.h): each runs until its
// limits are reached and fills in the schedule and its copies; false if it found none, which proves nothing.
#pragma once

#include <functional>

#include "heuristics/simd/run_control.h"
#include "model/simd/problem.h"

namespace nestor::simd {

/// Raises the bound of a run where that may end it: told the copies of the best schedule so far and the work
/// that is planned. Given by what proves (mapper/simd/bound_raiser.h).
using RaiseBound = std::function<void(std::uint32_t copies, std::uint64_t planned_work, LowerBound& bound)>;

struct MethodRun {
  const Netlist& netlist;
  const ScheduleProblem& problem;
  const ScheduleRequest& request;
  RunControl& control;
  LowerBound bound;
  RaiseBound raise_bound;
};

/// Of more gates a schedule is written down as soon as it is found: that takes long, and a signal may come at
/// any time.
inline constexpr std::uint32_t most_written_at_the_end = 40'000;

/// Searches side by side.
inline int searches_of(const ScheduleRequest& request) {
  if (request.workers > 0) return request.workers;
  const bool nestor = request.method == ScheduleMethod::nestor || request.method == ScheduleMethod::exact;
  return nestor ? 2 : 1;
}

/// What method nestor spreads its stages over, and bounds take a share of: what was asked for, or what the
/// limits allow.
std::uint64_t planned_work(const ScheduleRequest& request);

/// Each returns whether it found a schedule and adds its work to `work`; result.bound begins as the run's,
/// and run_nestor has it raised.
bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);

}  // namespace nestor::simd
