// External reasons to stop a run: a deadline, a signal, or exhausted system memory. Worker threads poll the
// source; polling is cheap.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

#include "base/status.h"
#include "base/stop_signal.h"
#include "solver/engine/memory_reserve.h"

namespace nestor {

class StopSource final : public StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  StopSource() = default;
  explicit StopSource(std::optional<Clock::time_point> deadline) : deadline_(deadline) {}

  /// Requests a stop. Safe to call in a signal handler.
  void interrupt() { interrupted_.store(true, std::memory_order_relaxed); }
  /// Also watches an external flag (one signal for many runs); with null, only the source's own flag counts.
  void watch(const std::atomic<bool>* flag) { watched_ = flag; }

  bool interrupted() const {
    return interrupted_.load(std::memory_order_relaxed) ||
           (watched_ != nullptr && watched_->load(std::memory_order_relaxed));
  }
  bool requested() const override {
    return interrupted() || memory_ran_out() || (deadline_ && Clock::now() >= *deadline_);
  }
  Status status() const {
    if (interrupted()) return Status::interrupted;
    return memory_ran_out() ? Status::memory_limit : Status::time_limit;
  }

 private:
  std::atomic<bool> interrupted_{false};
  const std::atomic<bool>* watched_ = nullptr;
  std::optional<Clock::time_point> deadline_;
};

using Deadline = std::optional<StopSource::Clock::time_point>;  ///< no value means no deadline

/// Returns the time `seconds` after `begin`, or no deadline for more than about thirty years.
inline Deadline deadline_after(double seconds,
                               StopSource::Clock::time_point begin = StopSource::Clock::now()) {
  constexpr double unlimited = 1e9;
  if (!(seconds < unlimited)) return std::nullopt;
  return begin +
         std::chrono::duration_cast<StopSource::Clock::duration>(std::chrono::duration<double>(seconds));
}

inline double seconds_since(StopSource::Clock::time_point begin) {
  return std::chrono::duration<double>(StopSource::Clock::now() - begin).count();
}

inline Deadline earlier(Deadline a, Deadline b) { return a && b ? std::min(*a, *b) : a ? a : b; }

}  // namespace nestor
