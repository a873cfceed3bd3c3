// Better lower bounds for a run, once each, as soon as it has a schedule that costs more than its bound. They
// take a share of the run's planned work.
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
