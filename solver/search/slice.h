// SPDX-License-Identifier: Apache-2.0
// One slice of a search: how much work it may still do, and a signal that ends it early. A unit of work is
// about as long as looking at one candidate for a child; docs/embedded.md publishes its most instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/search/label_search.h"

namespace nestor {

// Its functions are called from everywhere in the embedded core, and not inlined for the sake of its size.
class Slice {
 public:
  explicit Slice(std::uint64_t work, const StopSignal* stop = nullptr) : left_(work), stop_(stop) {}

  /// Whether the search must return. Asked before every piece of work.
  [[gnu::noinline]] bool over() const { return left_ == 0 || (stop_ != nullptr && stop_->requested()); }
  /// Counts a piece of work, of which the last may exceed the slice.
  [[gnu::noinline]] void charge(std::uint32_t units) { left_ = units < left_ ? left_ - units : 0; }

 private:
  std::uint64_t left_;
  const StopSignal* stop_;
};

/// A slice that never ends, for searches that have no need of slices.
struct EndlessSlice {
  static constexpr bool over() { return false; }
  static constexpr void charge(std::uint32_t /*units*/) {}
};

/// An expansion that runs to its end at once.
struct WholeExpansion {
  static constexpr std::size_t first(std::size_t /*level*/) { return 0; }
  static constexpr bool leaves(const std::array<std::size_t, 5>& /*place*/) { return false; }
  static constexpr bool left() { return false; }
  static constexpr void charge(std::uint32_t /*units*/) {}
};

/// An expansion that is left when its slice is over and resumes at the candidate where it was left.
/// Candidates are counted by nested loops, the outermost first.
class PacedExpansion {
 public:
  using Place = std::array<std::size_t, 5>;

  /// Of another label.
  void begin() { place_ = {}; }
  void resume(Slice& slice) {
    slice_ = &slice;
    left_ = false;
  }
  /// Where the loop of a level begins: at 0, but for the first time after a resumption.
  std::size_t first(std::size_t level) { return std::exchange(place_[level], 0); }
  /// Whether to return before this candidate; it is the one to resume at.
  bool leaves(const Place& place) {
    if (left_) return true;
    if (!slice_->over()) return false;
    place_ = place;
    left_ = true;
    return true;
  }
  /// Whether it was left, or ended early.
  bool left() const { return left_; }
  /// The candidates that follow are of no interest.
  void end() { left_ = true; }
  void charge(std::uint32_t units) { slice_->charge(units); }

 private:
  Place place_{};
  Slice* slice_ = nullptr;
  bool left_ = false;
};

}  // namespace nestor
