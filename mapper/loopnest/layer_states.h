// States of a layer's searches (solver/engine/state.h), stored together with the incumbents found so far. A
// run that continues from a state thus reports the incumbents of the whole run.
#pragma once

#include "mapper/loopnest/layer_map.h"
#include "solver/engine/observer.h"

namespace nestor::mapper {

class LayerStates final : public StateKeeper {
 public:
  /// Adds the incumbents of `statistics` to the states that the observer stores.
  LayerStates(EngineObserver* observer, SearchStatistics& statistics)
      : keeper_(observer != nullptr ? observer->states() : nullptr), statistics_(statistics) {}

  /// Returns the keeper of states for a search, or nullptr if the observer stores none.
  StateKeeper* get() { return keeper_ != nullptr ? this : nullptr; }

  bool begin(const Read& read) override {
    return keeper_->begin([&](StateReader& state) {
      std::vector<SearchStatistics::Incumbent> incumbents;
      if (!state.array(incumbents) || !read(state)) return false;
      statistics_.incumbents = std::move(incumbents);
      return true;
    });
  }
  bool is_due() const override { return keeper_->is_due(); }
  void keep(const Write& write) override {
    keeper_->keep([&](StateWriter& state) { return state.array(statistics_.incumbents) && write(state); });
  }

 private:
  StateKeeper* keeper_;
  SearchStatistics& statistics_;
};

}  // namespace nestor::mapper
