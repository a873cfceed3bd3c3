// SPDX-License-Identifier: Apache-2.0
// One slice of a search: its remaining work, and a signal that ends it early. Examining one candidate child
// takes about one unit of work. docs/embedded.md gives the largest number of instructions in a unit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/search/label_search.h"

namespace nestor {

// The embedded core calls these functions in many places, so they are not inlined, which saves code size.
class Slice {
 public:
  explicit Slice(std::uint64_t work, const StopSignal* stop = nullptr) : left_(work), stop_(stop) {}

  /// True if the search must return. Checked before every piece of work.
  [[gnu::noinline]] bool over() const { return left_ == 0 || (stop_ != nullptr && stop_->requested()); }
  /// Counts a piece of work. The last piece may exceed the slice.
  [[gnu::noinline]] void charge(std::uint32_t units) { left_ = units < left_ ? left_ - units : 0; }

 private:
  std::uint64_t left_;
  const StopSignal* stop_;
};

/// A slice that never ends, for searches without slices.
struct EndlessSlice {
  static constexpr bool over() { return false; }
  static constexpr void charge(std::uint32_t /*units*/) {}
};

/// An expansion that never pauses.
struct WholeExpansion {
  static constexpr std::size_t first(std::size_t /*level*/) { return 0; }
  static constexpr bool leaves(const std::array<std::size_t, 5>& /*place*/) { return false; }
  static constexpr bool left() { return false; }
  static constexpr void charge(std::uint32_t /*units*/) {}
};

/// An expansion that pauses when its slice is over and resumes at the same candidate. A candidate is
/// identified by the counters of nested loops, outermost first.
class PacedExpansion {
 public:
  using Place = std::array<std::size_t, 5>;

  /// Starts the expansion of another label.
  void begin() { place_ = {}; }
  void resume(Slice& slice) {
    slice_ = &slice;
    left_ = false;
  }
  /// Returns the start of the loop of a level: 0, except at the first call after a resumption.
  std::size_t first(std::size_t level) { return std::exchange(place_[level], 0); }
  /// True if the expansion must return before this candidate, at which it will then resume.
  bool leaves(const Place& place) {
    if (left_) return true;
    if (!slice_->over()) return false;
    place_ = place;
    left_ = true;
    return true;
  }
  /// True if the expansion paused or was ended early.
  bool left() const { return left_; }
  /// Ends the expansion, because the remaining candidates are not needed.
  void end() { left_ = true; }
  void charge(std::uint32_t units) { slice_->charge(units); }

 private:
  Place place_{};
  Slice* slice_ = nullptr;
  bool left_ = false;
};

}  // namespace nestor
