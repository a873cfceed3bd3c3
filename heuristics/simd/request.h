// Request and result of a simd scheduler: a machine, a method and limits in; a schedule, its count of copies,
// a lower bound and how the search ended out. mapper/simd/make_schedule.h is the front door.
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

/// The best count after so much time and work.
struct Milestone {
  double seconds = 0;
  std::uint64_t work = 0;
  std::uint32_t copies = 0;
};

struct ScheduleRequest {
  ScheduleMethod method = ScheduleMethod::nestor;
  std::uint32_t rows = 256;
  std::uint32_t array_limit = 0;                       ///< 0: as many as useful
  double time_limit = 60;                              ///< seconds from `begin`
  std::optional<StopSource::Clock::time_point> begin;  ///< nothing: when it is asked
  std::uint64_t work_limit = 0;    ///< 0: none; a run it stops is the same on every machine
  std::uint64_t planned_work = 0;  ///< what method nestor spreads its stages over; 0: what the limits allow
  int workers = 0;  ///< searches side by side, which share the limits; 0: two of nestor (and exact), else one
  std::uint64_t seed = 1;
  std::uint64_t restarts = 500;  ///< R: constructions, and passes in a row without gain
  bool recompute = false;  ///< gates may be computed again where that saves energy, which bounds allow for
  ScheduleObjective objective = ScheduleObjective::copies;
  EnergyModel energy;
  // Ablations.
  bool improve = true;            ///< masim's improvement passes
  bool improve_baseline = false;  ///< the same for the baselines
  bool masim_generation = false;  ///< baselines: MASIM's instruction generation instead of the greedy one
  std::size_t memory_limit = std::size_t{4} << 30U;  ///< bytes for the labels of an exact search
  int threads = 0;                                 ///< 0: one per hardware thread; no result depends on them
  const std::atomic<bool>* interrupted = nullptr;  ///< ends the run with what was found, once it is set
  /// Told, from the calling thread, of every round of an exact search, and now and then of what has been
  /// constructed so far: its copies and its work, never a bound.
  EngineObserver* observer = nullptr;
};

struct ScheduleResult {
  Schedule schedule;
  std::uint32_t copies = 0;
  LowerBound bound;
  Status status = Status::time_limit;  ///< why it ended; a method that was out of memory says so itself
  bool completed = false;              ///< the method came to its own end
  bool effort_spent = false;           ///< a method without an end of its own spent the effort it was given
  std::uint64_t work = 0;
  std::uint64_t planned_work = 0;  ///< by method nestor; with it a run cut short can be had again by its work
  double seconds = 0;
  std::uint64_t trials = 0;  ///< of methods that construct and improve: constructions,
  std::uint64_t passes = 0;  ///< and improvement passes
  SearchCounts labels;       ///< of an exact search
  std::vector<Milestone> milestones;
};

}  // namespace nestor::simd
