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
      : time_limit_(request.time_limit), work_limit_(request.work_limit) {}

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  bool out_of_time() const { return seconds() >= time_limit_; }
  bool out_of_work(std::uint64_t work) const { return work_limit_ != 0 && work >= work_limit_; }
  bool over(std::uint64_t work) const { return out_of_work(work) || out_of_time(); }

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
    } else {
      result.status = out_of_work(work) ? Status::work_limit : Status::time_limit;
    }
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double time_limit_;
  std::uint64_t work_limit_;
  std::vector<Milestone> milestones_;
};

}  // namespace nestor::simd
