// Stronger lower bounds for a run. Each bound is computed once, as soon as the run has a schedule that costs
// more than the current bound. The computations use a share of the run's planned work.
#pragma once

#include "heuristics/simd/methods.h"

namespace nestor::simd {

class BoundRaiser {
 public:
  /// All arguments must outlive the raiser.
  BoundRaiser(const ScheduleProblem& problem, const ScheduleRequest& request, const RunControl& control)
      : problem_(problem), request_(request), control_(control), knows_alive_(request.recompute) {}

  /// Returns the callback for a MethodRun. The raiser must outlive the run.
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
  bool knows_alive_;  ///< the bound from live values was computed, or cannot apply (recomputation)
};

}  // namespace nestor::simd
