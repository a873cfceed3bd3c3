// Observers of a run. Every search with a proof reports to one, and so do long-running constructions.
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

/// Receives progress, work and the data that a proof needs. A search does not call functions for data that it
/// does not have.
class EngineObserver {
 public:
  EngineObserver() = default;
  EngineObserver(const EngineObserver&) = delete;
  EngineObserver& operator=(const EngineObserver&) = delete;
  virtual ~EngineObserver() = default;
  virtual void round_ended(const EngineProgress& progress) = 0;
  /// The work of each turn of a round, in branch order; an opening counts as one expansion.
  virtual void turns_taken(const std::vector<std::uint64_t>& /*work*/) {}
  /// True if branch_left is to be called.
  virtual bool needs_labels() const { return false; }
  /// Receives the recorded labels of a branch once none of them is open or the run ends. The order is the
  /// same for any number of threads. It is not called for a branch that never expanded a label.
  virtual void branch_left(const KeptLabels& /*kept*/) {}
  /// Returns the keeper of the search's states, or null if states are not kept.
  virtual StateKeeper* states() { return nullptr; }
};

/// Passes on only the keeper of states, for a search whose costs differ from those of the whole run.
class SilentPart final : public EngineObserver {
 public:
  explicit SilentPart(EngineObserver* observer) : observer_(observer) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  StateKeeper* states() override { return observer_ != nullptr ? observer_->states() : nullptr; }

 private:
  EngineObserver* observer_;
};

}  // namespace nestor
