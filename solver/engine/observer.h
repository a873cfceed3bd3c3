// Observers of a run. Every exact search reports to an observer, and so do long-running constructions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cost.h"
#include "solver/engine/kept_labels.h"
#include "solver/engine/state.h"

namespace nestor {

/// Progress of the engine at the end of a round.
struct EngineProgress {
  double incumbent = no_cost;
  double bound = 0;
  std::uint64_t work = 0;
  bool improved = false;  ///< the incumbent changed
};

/// Receives progress, work and the data that a proof needs. A search does not call the functions for data
/// that it lacks.
class EngineObserver {
 public:
  EngineObserver() = default;
  EngineObserver(const EngineObserver&) = delete;
  EngineObserver& operator=(const EngineObserver&) = delete;
  virtual ~EngineObserver() = default;
  virtual void round_ended(const EngineProgress& progress) = 0;
  /// Receives the work of each turn in a round, in the order of the turns: the turn's expansions, plus one
  /// for the turn itself.
  virtual void turns_taken(const std::vector<std::uint64_t>& /*work*/) {}
  /// True if branch_left must be called.
  virtual bool needs_labels() const { return false; }
  /// Receives the recorded labels of a branch when the branch cannot improve the incumbent any more, or at
  /// the end of the run. The order is the same for any number of threads. It is not called for a branch that
  /// never expanded a label.
  virtual void branch_left(const KeptLabels& /*kept*/) {}
  /// Returns the keeper of the search's states, or null if states are not stored.
  virtual StateKeeper* states() { return nullptr; }
};

/// Forwards only the keeper of states, for a search whose costs are not those of the whole run.
class SilentPart final : public EngineObserver {
 public:
  explicit SilentPart(EngineObserver* observer) : observer_(observer) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  StateKeeper* states() override { return observer_ != nullptr ? observer_->states() : nullptr; }

 private:
  EngineObserver* observer_;
};

}  // namespace nestor
