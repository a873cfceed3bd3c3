// What each method is to the front door (mapper/simd/make_schedule.h): it runs until its limits are reached
// and fills in the schedule and its copies; false if it found none, which proves nothing.
#pragma once

#include "heuristics/simd/run_control.h"
#include "model/simd/problem.h"

namespace nestor::simd {

struct MethodRun {
  const Netlist& netlist;
  const Problem& problem;
  const ScheduleRequest& request;
  RunControl& control;
  LowerBound bound;
};

/// Of more gates a schedule is written down as soon as it is found: that takes long, and a signal may come at
/// any time.
inline constexpr std::uint32_t most_written_at_the_end = 40'000;

/// Each returns whether it found a schedule and adds its work to `work`; run_nestor may raise result.bound,
/// which begins as the run's.
bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);

}  // namespace nestor::simd
