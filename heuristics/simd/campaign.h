// The clock, the work and the milestones of one run, shared by all methods.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "heuristics/simd/scheduler.h"

namespace nestor::simd {

class Campaign {
 public:
  explicit Campaign(const ScheduleRequest& request)
      : time_limit_(request.time_limit),
        work_limit_(request.work_limit),
        interrupted_(request.interrupted),
        progressed_(request.progressed) {}

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  bool out_of_time() const { return seconds() >= time_limit_; }
  bool out_of_work(std::uint64_t work) const { return work_limit_ != 0 && work >= work_limit_; }
  bool interrupted() const { return interrupted_ != nullptr && interrupted_->load(); }
  /// Asked between stretches of work; says on the way how the run is doing.
  bool over(std::uint64_t work) const {
    if (progressed_ && !milestones_.empty()) progressed_({seconds(), work, milestones_.back().copies});
    return out_of_work(work) || out_of_time() || interrupted();
  }

  void note(std::uint32_t copies, std::uint64_t work) {
    if (milestones_.empty() || copies < milestones_.back().copies)
      milestones_.push_back({seconds(), work, copies});
  }
  void finish(ScheduleResult& result, std::uint64_t work) {
    result.work = work;
    result.seconds = seconds();
    result.milestones = std::move(milestones_);
    if (result.copies <= result.bound.copies) {
      result.status = Status::optimal;
    } else if (interrupted()) {
      result.status = Status::interrupted;
    } else if (result.status != Status::memory_limit) {
      result.status = out_of_work(work) ? Status::work_limit : Status::time_limit;
    }
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_limit_;
  std::uint64_t work_limit_;
  const std::atomic<bool>* interrupted_;
  std::function<void(const Milestone&)> progressed_;
  std::vector<Milestone> milestones_;
};

}  // namespace nestor::simd
