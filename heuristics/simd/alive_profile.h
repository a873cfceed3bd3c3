// Number of live values after each position of a sequence, and a convex price of this number as a smooth
// proxy for copies. The number of copies alone has wide plateaus on which a search drifts to ever worse
// orders; the price guides the search to orders with fewer live values.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/sequence.h"

namespace nestor::simd {

/// Price of `alive` values in `capacity` rows: `each` per value, plus `excess` per value beyond the capacity.
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
  /// If `inputs_travel`, an input occupies a row from its first to its last use, as it does in an array that
  /// is not its home.
  AliveProfile(const Sequence& sequence, AlivePrice price, bool inputs_travel);

  /// Recomputes the whole profile.
  void count();
  double total() const { return total_; }
  const AlivePrice& price() const { return price_; }
  std::int32_t at(std::uint32_t position) const { return alive_[position]; }

  /// Returns the change of the total price. Called after positions [first, last] of the sequence were
  /// rearranged.
  double change(std::uint32_t first, std::uint32_t last);
  /// Makes the last change() permanent.
  void commit();

  /// Returns the number of values alive after the gate minus the number before it.
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
