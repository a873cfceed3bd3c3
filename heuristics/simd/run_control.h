// Limits of a run (clock, work, signal) and its best result so far, shared by all methods.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/simd/request.h"
#include "solver/engine/stop_source.h"

namespace nestor::simd {

/// Limits and progress of a run. As an observer, it receives the progress of a search that is part of the
/// run.
class RunControl final : public EngineObserver {
 public:
  /// `reserve`: seconds needed at the end of the run, limited to half of the run's time.
  explicit RunControl(const ScheduleRequest& request, double reserve = 0)
      : start_(request.begin.value_or(StopSource::Clock::now())),
        stop_(deadline_after(request.time_limit - std::min(reserve, request.time_limit / 2), start_)),
        work_limit_(request.work_limit),
        observer_(request.observer) {
    stop_.watch(request.interrupted);
  }

  StopSource::Clock::time_point begin() const { return start_; }
  double seconds() const { return seconds_since(start_); }
  /// Returns the stop source (clock and signals), for code that polls it from many threads.
  StopSource& stop() { return stop_; }
  /// True if it is time to stop. A run without a schedule continues for `grace`, because building the first
  /// schedule of a small netlist takes less time than that.
  bool stopped() const {
    if (!stop_.requested()) return false;
    return found_.load(std::memory_order_relaxed) || moment_is_over();
  }
  /// Stop rule for work with reserved time, while the run has no other result: a limit does not stop this
  /// work, but a signal stops it after `grace`.
  bool stopped_by_signal() const { return stop_.interrupted() && moment_is_over(); }
  std::uint64_t work_limit() const { return work_limit_; }
  bool out_of_work(std::uint64_t work) const { return work_limit_ != 0 && work >= work_limit_; }
  /// Reports progress and returns true if the run is over. Called between stretches of work.
  bool over(std::uint64_t work) const {
    if (observer_ != nullptr && !milestones_.empty())
      observer_->round_ended({static_cast<double>(milestones_.back().copies), 0, work});
    return out_of_work(work) || stopped();
  }

  void note(std::uint32_t copies, std::uint64_t work) {
    if (milestones_.empty() || copies < milestones_.back().copies)
      milestones_.push_back({seconds(), work, copies});
    has_schedule();
  }
  void round_ended(const EngineProgress& progress) override {
    if (progress.improved) note(static_cast<std::uint32_t>(progress.incumbent), progress.work);
    if (observer_ != nullptr) observer_->round_ended(progress);
  }
  /// From now on, stopped() takes effect immediately.
  void has_schedule() { found_.store(true, std::memory_order_relaxed); }
  std::vector<Milestone> take_milestones() { return std::move(milestones_); }
  /// Returns the limit that ended a run after this much work.
  Status why(std::uint64_t work) const {
    if (stop_.interrupted()) return Status::interrupted;
    return out_of_work(work) ? Status::work_limit : Status::time_limit;
  }

 private:
  static constexpr std::chrono::milliseconds grace{50};
  static constexpr std::int64_t never_noticed = std::numeric_limits<std::int64_t>::min();

  bool moment_is_over() const {
    const std::int64_t now = StopSource::Clock::now().time_since_epoch().count();
    std::int64_t noticed = never_noticed;
    if (noticed_.compare_exchange_strong(noticed, now)) noticed = now;
    return StopSource::Clock::duration(now - noticed) >= grace;
  }

  StopSource::Clock::time_point start_;
  StopSource stop_;
  std::uint64_t work_limit_;
  EngineObserver* observer_;
  std::atomic<bool> found_{false};
  mutable std::atomic<std::int64_t> noticed_{never_noticed};  ///< when the stop was first noticed
  std::vector<Milestone> milestones_;
};

}  // namespace nestor::simd
