// The front door of the simd space: a netlist, a machine, a method and limits in, a schedule out, or why
// there is none. Heuristics give up; only a proof says that no schedule exists (Status::infeasible).
#pragma once

#include <optional>
#include <utility>

#include "heuristics/simd/request.h"

namespace nestor::simd {

/// A schedule with its figures, or the reason for having none.
class Scheduled {
 public:
  Scheduled(ScheduleResult result) : result_(std::move(result)) {}  // NOLINT(google-explicit-constructor)
  /// `completed`: the method came to its own end.
  Scheduled(Status status, bool completed) : status_(status), completed_(completed) {}

  explicit operator bool() const { return result_.has_value(); }
  ScheduleResult& operator*() { return *result_; }
  const ScheduleResult& operator*() const { return *result_; }
  ScheduleResult* operator->() { return &*result_; }
  const ScheduleResult* operator->() const { return &*result_; }

  /// Without a schedule: the limit that ended the run, or `infeasible` if it is proved that none exists. A
  /// method that `gave_up` tried all it does and found none, which proves nothing.
  Status status() const { return result_ ? result_->status : status_; }
  bool gave_up() const { return !result_ && completed_ && status_ != Status::infeasible; }

 private:
  std::optional<ScheduleResult> result_;
  Status status_ = Status::infeasible;
  bool completed_ = false;
};

Scheduled make_schedule(const Netlist& netlist, const ScheduleRequest& request);

}  // namespace nestor::simd
