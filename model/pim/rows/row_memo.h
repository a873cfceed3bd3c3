// The fewest row activations of the walks that a search met so far.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <unordered_map>

#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

/// Fewest activations per walk over all layouts, for all branches of a problem: a walk does not depend on how
/// a tile is laid over the axes. A function of its arguments only, whoever asks first; safe to ask from
/// several threads.
class RowMemo {
 public:
  /// `walk_key`: the walk as bytes. The fewest activations, but at least `enough`; `floor` is a bound below
  /// them.
  template <typename MakeWalk>
  Int fewest(const std::string& walk_key, MakeWalk make_walk, LayoutSet allowed, Int floor, Int enough,
             RowCounter& counter) {
    Shard& shard = shards_[std::hash<std::string>{}(walk_key) % shard_count];
    {
      const std::lock_guard lock(shard.mutex);
      const auto found = shard.known.find(walk_key);
      if (found != shard.known.end() && (found->second.least || found->second.activations <= enough))
        return std::max(found->second.activations, enough);
    }
    const ChosenLayout chosen = best_layout(counter, make_walk(), allowed, std::max(floor, enough));
    const bool least = chosen.activations <= floor || chosen.activations > enough;
    const std::lock_guard lock(shard.mutex);
    if (shard.known.size() >= most_known) shard.known.clear();
    shard.known[walk_key] = {chosen.activations, least};
    return std::max(chosen.activations, enough);
  }

 private:
  struct Known {
    Int activations = 0;
    bool least = true;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::string, Known> known;
  };
  static constexpr std::size_t shard_count = 16;
  static constexpr std::size_t most_known = std::size_t{1} << 13U;
  std::array<Shard, shard_count> shards_;
};

}  // namespace nestor::pim
