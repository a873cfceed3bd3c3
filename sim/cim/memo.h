// Hash table from short integer sequences to short integer sequences. Keys and values are stored in one
// growing array. A full table ignores new entries. Internal to sim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/checked.h"

namespace nestor::sim::cim {

class Memo {
 public:
  explicit Memo(std::size_t max_integers) : max_integers_(max_integers), slots_(64, empty) {}

  /// Returns the value of the key, or an empty span. The span is valid until the next insert().
  std::span<const Int> find(std::span<const Int> key) const;
  /// Inserts a new key with a nonempty value.
  void insert(std::span<const Int> key, std::span<const Int> value);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::size_t begin = 0;  ///< start in content_: key, then value
    std::uint32_t key_size = 0;
    std::uint32_t value_size = 0;
  };
  static constexpr std::uint32_t empty = ~std::uint32_t{0};

  void place(std::uint32_t entry);
  void grow();

  std::size_t max_integers_;
  std::vector<Int> content_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> slots_;  ///< open addressing over entries_, at most half full
};

}  // namespace nestor::sim::cim
