// Request and result of a simd scheduler. The request contains a machine, a method and limits. The result
// contains a schedule, its number of copies, a lower bound and the reason why the search ended. The entry
// point is mapper/simd/make_schedule.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/simd/bounds.h"
#include "model/simd/energy.h"
#include "model/simd/method.h"
#include "model/simd/schedule.h"
#include "solver/engine/observer.h"
#include "solver/engine/stop_source.h"
#include "solver/search/label_search.h"

namespace nestor::simd {

/// The best number of copies after some time and work.
struct Milestone {
  double seconds = 0;
  std::uint64_t work = 0;
  std::uint32_t copies = 0;
};

struct ScheduleRequest {
  ScheduleMethod method = ScheduleMethod::nestor;
  std::uint32_t rows = 256;
  std::uint32_t array_limit = 0;                       ///< 0: as many as are useful
  double time_limit = 60;                              ///< seconds from `begin`
  std::optional<StopSource::Clock::time_point> begin;  ///< if unset, the start of the run
  std::uint64_t work_limit = 0;  ///< 0: none; a run stopped by it is the same on every machine
  /// Work that method nestor distributes over its stages; 0: as much as the limits allow.
  std::uint64_t planned_work = 0;
  int workers = 0;  ///< parallel searches, which share the limits; 0: two for nestor and exact, otherwise one
  std::uint64_t seed = 1;
  std::uint64_t restarts = 500;  ///< R: number of constructions, and of consecutive passes without gain
  bool recompute = false;        ///< true if gates may be recomputed to save energy; bounds account for it
  ScheduleObjective objective = ScheduleObjective::copies;
  EnergyModel energy;
  // Ablations.
  bool improve = true;            ///< masim's improvement passes
  bool improve_baseline = false;  ///< improvement passes for the baselines, too
  /// MASIM's instruction generation for the baselines, instead of greedy generation.
  bool masim_generation = false;
  std::size_t memory_limit = std::size_t{4} << 30U;  ///< bytes for the labels of an exact search
  int threads = 0;                                   ///< 0: one per hardware thread; no result depends on it
  /// If set to true by another thread or a signal handler, the run ends with its results so far.
  const std::atomic<bool>* interrupted = nullptr;
  /// Notified in the calling thread after every round of an exact search. Constructions report the copies and
  /// work of the best schedule at intervals, but no bound.
  EngineObserver* observer = nullptr;
};

struct ScheduleResult {
  Schedule schedule;
  std::uint32_t copies = 0;
  LowerBound bound;
  /// Reason why the run ended; a method sets it if it runs out of memory.
  Status status = Status::time_limit;
  bool completed = false;     ///< true if the method ended by itself
  bool effort_spent = false;  ///< set if a method that never ends by itself used up its effort
  std::uint64_t work = 0;
  /// Planned work of method nestor; together with `work`, it reproduces an interrupted run.
  std::uint64_t planned_work = 0;
  double seconds = 0;
  std::uint64_t trials = 0;  ///< constructions, for methods that construct and improve
  std::uint64_t passes = 0;  ///< improvement passes, for methods that construct and improve
  SearchCounts labels;       ///< counts of an exact search
  std::vector<Milestone> milestones;
};

}  // namespace nestor::simd
