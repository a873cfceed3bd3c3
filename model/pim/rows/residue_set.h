// Set of places modulo a row, with the number of places in any section of the row. These numbers determine
// how many steps leave their row (docs/models/pim.md, section 5.2). For many queries, prefix sums along the
// row are built; for a few queries, the places are checked one by one.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.h"

namespace nestor::pim {

class ResidueSet {
 public:
  static constexpr Int longest_row = Int{1} << 20U;

  /// Precondition: row <= longest_row.
  void clear(Int row) {
    row_ = static_cast<std::int32_t>(row);
    places_.clear();
    summed_up_ = false;
  }
  /// Precondition: 0 <= place < row.
  void add(Int place) { places_.push_back(static_cast<std::int32_t>(place)); }
  std::size_t size() const { return places_.size(); }

  /// Prepares for the given number of queries. Must be called after all places are added and before the first
  /// query.
  void expect(std::size_t questions) {
    const auto row = static_cast<std::size_t>(row_);
    summed_up_ = places_.size() * questions > 4 * (2 * row + places_.size());
    if (!summed_up_) return;
    below_.assign(row + 1, 0);
    for (const std::int32_t place : places_) ++below_[static_cast<std::size_t>(place) + 1];
    for (std::size_t i = 0; i < row; ++i) below_[i + 1] += below_[i];
  }

  /// Returns the number of places in [from, from + length), which may wrap around the end of the row.
  /// Preconditions: 0 <= from < row, length <= row.
  Int within(Int from, Int length) const {
    if (summed_up_) return summed(from, length);
    const auto start = static_cast<std::int32_t>(from);
    const auto stretch = static_cast<std::int32_t>(length);
    std::int32_t found = 0;
    for (const std::int32_t place : places_) {
      const std::int32_t past = place - start;
      found += static_cast<std::int32_t>((past < 0 ? past + row_ : past) < stretch);
    }
    return found;
  }

 private:
  Int summed(Int from, Int length) const {
    const auto start = static_cast<std::size_t>(from);
    const auto end = static_cast<std::size_t>(from + length);
    const auto row = static_cast<std::size_t>(row_);
    if (end <= row) return below_[end] - below_[start];
    return below_[row] - below_[start] + below_[end - row];
  }

  std::int32_t row_ = 1;
  bool summed_up_ = false;
  std::vector<std::int32_t> places_;
  std::vector<std::int32_t> below_;  // number of places before each position of the row
};

}  // namespace nestor::pim
