// Memo of summaries by level and start position, for the current walk (docs/models/pim.md, section 5.2). The
// table of every walk starts small and grows as needed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checked.h"

namespace nestor::pim {

/// Start of a level: the address within its row, and the position within a block of a blocked plane.
struct Position {
  Int address = 0;
  Int height = 0;
  Int width = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

template <typename Summary>
class SummaryMemo {
 public:
  void clear() {
    if (entries_.empty()) entries_.resize(first_size);
    forget();
    used_ = first_size;
    kept_ = 0;
  }
  /// Returns the summary, or null if there is none. The pointer is valid until the next call of keep() or
  /// clear().
  const Summary* find(std::uint32_t level, const Position& at) const {
    for (std::size_t i = first_place(level, at);; i = (i + 1) & (used_ - 1)) {
      const Entry& entry = entries_[i];
      if (entry.stamp != stamp_) return nullptr;
      if (entry.level == level && entry.at == at) return &entry.summary;
    }
  }
  /// Stores a summary, unless the table is full.
  void keep(std::uint32_t level, const Position& at, const Summary& summary) {
    if (kept_ >= most_kept) return;
    if (2 * kept_ >= used_) grow();
    ++kept_;
    insert({stamp_, level, at, summary});
  }

 private:
  struct Entry {
    std::uint32_t stamp = 0;  // identifies the walk and the table layout
    std::uint32_t level = 0;
    Position at;
    Summary summary;
  };
  static constexpr std::size_t first_size = 256;
  static constexpr std::size_t most_kept = std::size_t{1} << 16U;

  std::size_t first_place(std::uint32_t level, const Position& at) const {
    std::uint64_t mixed = static_cast<std::uint64_t>(at.address) * 0x9e3779b97f4a7c15ULL;
    mixed ^= (static_cast<std::uint64_t>(at.height) << 40U) ^ (static_cast<std::uint64_t>(at.width) << 20U) ^
             level;
    mixed *= 0xff51afd7ed558ccdULL;
    return static_cast<std::size_t>(mixed ^ (mixed >> 29U)) & (used_ - 1);
  }
  void insert(const Entry& entry) {
    std::size_t i = first_place(entry.level, entry.at);
    while (entries_[i].stamp == stamp_) i = (i + 1) & (used_ - 1);
    entries_[i] = entry;
  }
  void grow() {
    moved_.clear();
    for (std::size_t i = 0; i < used_; ++i)
      if (entries_[i].stamp == stamp_) moved_.push_back(entries_[i]);
    forget();
    used_ *= 4;
    if (entries_.size() < used_) entries_.resize(used_);
    for (Entry& entry : moved_) {
      entry.stamp = stamp_;
      insert(entry);
    }
  }
  void forget() {
    if (++stamp_ != 0) return;
    entries_.assign(entries_.size(), {});
    stamp_ = 1;
  }

  std::vector<Entry> entries_;
  std::vector<Entry> moved_;
  std::size_t used_ = first_size;
  std::size_t kept_ = 0;
  std::uint32_t stamp_ = 0;
};

}  // namespace nestor::pim
