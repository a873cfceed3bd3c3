// Observers of a run: every search that proves reports to one of these, and so do constructions that
// take long, as far as they have something to say.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cost.h"
#include "solver/engine/kept_labels.h"
#include "solver/engine/state.h"

namespace nestor {

/// Progress as the engine sees it at the end of a round.
struct EngineProgress {
  double incumbent = no_cost;
  double bound = 0;
  std::uint64_t work = 0;
  bool improved = false;  ///< the incumbent changed
};

/// Told of progress, of work and of what a proof needs; what a search has none of is not told.
class EngineObserver {
 public:
  EngineObserver() = default;
  EngineObserver(const EngineObserver&) = delete;
  EngineObserver& operator=(const EngineObserver&) = delete;
  virtual ~EngineObserver() = default;
  virtual void round_ended(const EngineProgress& progress) = 0;
  /// The work of each turn of a round, in branch order; an opening counts as one expansion.
  virtual void turns_taken(const std::vector<std::uint64_t>& /*work*/) {}
  /// Whether branch_left is to be called.
  virtual bool needs_labels() const { return false; }
  /// What the search of a branch kept, once nothing of it is open or the run ends. In the same order for any
  /// number of threads; a branch that never expanded a label is not told of.
  virtual void branch_left(const KeptLabels& /*kept*/) {}
  /// Where the search leaves its states; nullptr if nobody keeps them.
  virtual StateKeeper* states() { return nullptr; }
};

/// Told of nothing but where states are left: for a search whose costs are not those of the whole.
class SilentPart final : public EngineObserver {
 public:
  explicit SilentPart(EngineObserver* observer) : observer_(observer) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  StateKeeper* states() override { return observer_ != nullptr ? observer_->states() : nullptr; }

 private:
  EngineObserver* observer_;
};

}  // namespace nestor
