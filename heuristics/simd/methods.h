// Scheduling methods, called by mapper/simd/make_schedule.h. Each method runs until a limit is reached, and
// fills in the schedule and its number of copies. It returns false if it found no schedule, which does not
// prove that none exists.
#pragma once

#include <functional>

#include "heuristics/simd/run_control.h"
#include "model/simd/problem.h"

namespace nestor::simd {

/// Raises the bound of a run if a higher bound may end the run. The inputs are the number of copies of the
/// best schedule so far and the planned work. mapper/simd/bound_raiser.h provides it.
using RaiseBound = std::function<void(std::uint32_t copies, std::uint64_t planned_work, LowerBound& bound)>;

struct MethodRun {
  const Netlist& netlist;
  const ScheduleProblem& problem;
  const ScheduleRequest& request;
  RunControl& control;
  LowerBound bound;
  RaiseBound raise_bound;
};

/// For netlists with more gates, schedules are recorded during the search, because recording takes long and a
/// signal may arrive at any time.
inline constexpr std::uint32_t most_written_at_the_end = 40'000;

/// Returns the number of parallel searches.
inline int searches_of(const ScheduleRequest& request) {
  if (request.workers > 0) return request.workers;
  const bool nestor = request.method == ScheduleMethod::nestor || request.method == ScheduleMethod::exact;
  return nestor ? 2 : 1;
}

/// Returns the work that method nestor distributes over its stages and bounds: the requested work, or the
/// work that the limits allow.
std::uint64_t planned_work(const ScheduleRequest& request);

/// These functions return true if they found a schedule, and add their work to `work`. result.bound is
/// initially the bound of the run; run_nestor may raise it.
bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);

}  // namespace nestor::simd
