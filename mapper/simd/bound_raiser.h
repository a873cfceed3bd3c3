// Better lower bounds for a run of a heuristic, once each, when its best schedule is close enough for one to
// end the run: bounds that take time are not worth it before.
#pragma once

#include "heuristics/simd/methods.h"

namespace nestor::simd {

class BoundRaiser {
 public:
  /// All outlive it.
  BoundRaiser(const ScheduleProblem& problem, const ScheduleRequest& request, const RunControl& control)
      : problem_(problem), request_(request), control_(control), knows_alive_(request.recompute) {}

  /// For a MethodRun that it outlives.
  RaiseBound of_run() {
    return [this](std::uint32_t copies, std::uint64_t planned_work, LowerBound& bound) {
      raise(copies, planned_work, bound);
    };
  }

 private:
  void raise(std::uint32_t copies, std::uint64_t planned_work, LowerBound& bound);

  const ScheduleProblem& problem_;
  const ScheduleRequest& request_;
  const RunControl& control_;
  bool is_thorough_ = false;
  bool knows_alive_;  ///< values alive at a time say nothing of schedules that compute again
};

}  // namespace nestor::simd
