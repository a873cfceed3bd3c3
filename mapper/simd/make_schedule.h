// Entry point of the simd space. It takes a netlist, a machine, a method and limits, and returns a schedule,
// or the reason why there is none. A heuristic may fail to find a schedule; only a proof shows that none
// exists (Status::infeasible).
#pragma once

#include <optional>
#include <utility>

#include "heuristics/simd/request.h"

namespace nestor::simd {

/// A schedule with its costs and statistics, or the reason why there is none.
class Scheduled {
 public:
  Scheduled(ScheduleResult result) : result_(std::move(result)) {}  // NOLINT(google-explicit-constructor)
  /// `completed` is true if no limit stopped the method.
  Scheduled(Status status, bool completed) : status_(status), completed_(completed) {}

  explicit operator bool() const { return result_.has_value(); }
  ScheduleResult& operator*() { return *result_; }
  const ScheduleResult& operator*() const { return *result_; }
  ScheduleResult* operator->() { return &*result_; }
  const ScheduleResult* operator->() const { return &*result_; }

  /// Without a schedule, the status is the limit that ended the run, or `infeasible` if it is proved that no
  /// schedule exists. A method that `gave_up` ended by itself without a schedule or a proof.
  Status status() const { return result_ ? result_->status : status_; }
  bool gave_up() const { return !result_ && completed_ && status_ != Status::infeasible; }

 private:
  std::optional<ScheduleResult> result_;
  Status status_ = Status::infeasible;
  bool completed_ = false;
};

Scheduled make_schedule(const Netlist& netlist, const ScheduleRequest& request);

}  // namespace nestor::simd
