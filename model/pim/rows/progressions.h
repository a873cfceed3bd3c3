// Sums of places from arithmetic progressions, one progression per loop. SumCounter counts the sums that are
// below a limit modulo a row, without enumerating all of them (docs/models/pim.md, section 5.2).
#pragma once

#include <array>
#include <vector>

#include "model/pim/rows/residue_set.h"
#include "model/pim/rows/row_levels.h"

namespace nestor::pim {

/// The places i * stride, 0 <= i < count.
struct Progression {
  Int stride;
  Int count;
};

/// List of progressions. A copy copies only the used items.
class Progressions {
 public:
  Progressions() = default;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  Progressions(const Progressions& other) : size_(other.size_) {
    for (std::size_t i = 0; i < size_; ++i) items_[i] = other.items_[i];
  }
  Progressions& operator=(const Progressions&) = delete;

  std::size_t size() const { return size_; }
  Progression& operator[](std::size_t i) { return items_[i]; }
  const Progression& operator[](std::size_t i) const { return items_[i]; }
  const Progression* begin() const { return items_.data(); }
  const Progression* end() const { return items_.data() + size_; }
  void push(const Progression& added) { items_[size_++] = added; }
  void pop() { --size_; }
  void remove(std::size_t i) { items_[i] = items_[--size_]; }

  /// Adds the progression of a loop inside all others. It is merged with a progression whose stride equals
  /// added.count * added.stride.
  void add(const Progression& added) {
    for (std::size_t i = 0; i < size_; ++i)
      if (items_[i].stride == added.count * added.stride) {
        items_[i] = {added.stride, items_[i].count * added.count};
        return;
      }
    push(added);
  }
  /// Returns the number of sums.
  Int sums() const {
    Int product = 1;
    for (const Progression& here : *this) product *= here.count;
    return product;
  }
  /// Appends `start` plus each of the sums.
  void list(Int start, std::vector<Int>& into) const;

 private:
  std::array<Progression, max_loops + coordinate_count> items_;
  std::size_t size_ = 0;
};

/// Counter of sums modulo a row.
class SumCounter {
 public:
  void begin() { gave_up_ = false; }
  /// True if a count since begin() was abandoned because it would take too long; its result is invalid.
  bool gave_up() const { return gave_up_; }

  /// Returns the number of sums with (start + sum) mod row < below; start >= 0.
  Int count(const Progressions& places, Int start, Int row, Int below);

 private:
  Int several(Progressions& places, Int start, Int row, Int below);
  Int in_halves(const Progressions& places, Int start, Int row, Int below);

  bool gave_up_ = false;
  ResidueSet residues_;
  std::vector<Int> listed_;
};

}  // namespace nestor::pim
