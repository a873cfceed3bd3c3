// Number of live values after each position of a sequence, and a convex price on it: a smooth stand-in
// for copies. The number of copies alone has wide plateaus on which a search drifts into worse and worse
// orders; the price tells it where less is held.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/sequence.h"

namespace nestor::simd {

/// Price of `alive` values in `capacity` rows: `each` per value, `excess` more per value beyond the capacity.
struct AlivePrice {
  std::int32_t capacity = 0;
  double each = 0.1;
  double excess = 1.0;
  double of(std::int32_t alive) const {
    return each * static_cast<double>(alive) +
           (alive > capacity ? excess * static_cast<double>(alive - capacity) : 0.0);
  }
};

class AliveProfile {
 public:
  /// `inputs_travel`: inputs take a row from their first to their last use, as they do in an array that is
  /// not their home.
  AliveProfile(const Sequence& sequence, AlivePrice price, bool inputs_travel);

  /// Recounts everything.
  void count();
  double total() const { return total_; }
  const AlivePrice& price() const { return price_; }
  std::int32_t at(std::uint32_t position) const { return alive_[position]; }

  /// After positions [first, last] of the sequence were rearranged: by how much the price changed.
  double change(std::uint32_t first, std::uint32_t last);
  /// Makes the last change() permanent.
  void commit();

  /// How many more values are alive after the gate than before it.
  std::int32_t net_change(std::uint32_t gate) const;

 private:
  const Sequence* sequence_;
  AlivePrice price_;
  bool inputs_travel_;
  std::vector<std::int32_t> alive_, trial_;
  std::uint32_t first_ = 0, last_ = 0;
  double change_ = 0, total_ = 0;
};

}  // namespace nestor::simd
