// What each method is to the front door (scheduler.h): it runs until its campaign is over and fills in the
// schedule and its copies; false if it found none.
#pragma once

#include "heuristics/simd/campaign.h"
#include "model/simd/problem.h"

namespace nestor::simd {

struct MethodRun {
  const Netlist& netlist;
  const Problem& problem;
  const ScheduleRequest& request;
  Campaign& campaign;
  LowerBound bound;
};

/// Each returns whether it found a schedule and adds its work to `work`; run_nestor and run_exact may raise
/// result.bound, which begins as the run's.
bool run_nestor(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_masim(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_baseline(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);
bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work);

}  // namespace nestor::simd
