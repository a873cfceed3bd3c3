// Memo of the least row activations of walks, shared by the branches of a search.
#pragma once

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>

#include "base/tables/hash_table.h"
#include "model/pim/rows/layout_choice.h"

namespace nestor::pim {

/// Least activations of each walk over all allowed layouts. All branches of a problem share the memo, because
/// a walk depends on the extents of a tile, but not on which of its factors are spatial. The result depends
/// only on the arguments, not on the order of calls. The memo is thread-safe.
class RowMemo {
 public:
  /// Returns the least activations, clamped to at least `enough` and at most `too_many`. `walk_key` is the
  /// walk as bytes, and `floor` is a lower bound on its activations.
  template <typename MakeWalk>
  Int fewest(const std::string& walk_key, MakeWalk make_walk, LayoutSet allowed, Int floor, Int enough,
             Int too_many, RowCounter& counter) {
    if (floor >= too_many) return too_many;
    Shard& shard = shards_[std::hash<std::string>{}(walk_key) % shard_count];
    {
      const std::lock_guard lock(shard.mutex);
      const auto found = shard.known.find(walk_key);
      if (found != shard.known.end()) {
        const Known& known = found->second;
        if (known.most <= enough) return enough;
        if (known.least >= too_many) return too_many;
        if (known.least == known.most) return known.most;
      }
    }
    const Int chosen =
        best_layout(counter, make_walk(), allowed, std::max(floor, enough), too_many).activations;
    const std::lock_guard lock(shard.mutex);
    if (shard.known.size() >= most_known) shard.known.clear();
    Known& known = shard.known[walk_key];
    if (chosen < too_many) known.most = std::min(known.most, chosen);
    if (chosen > enough || chosen <= floor) known.least = std::max(known.least, chosen);
    return std::clamp(chosen, enough, too_many);
  }

 private:
  struct Known {
    Int least = 0;
    Int most = std::numeric_limits<Int>::max();
  };
  struct Shard {
    std::mutex mutex;
    HashMap<std::string, Known> known;
  };
  static constexpr std::size_t shard_count = 16;
  static constexpr std::size_t most_known = std::size_t{1} << 13U;
  std::array<Shard, shard_count> shards_;
};

}  // namespace nestor::pim
