#include "sim/cim/memo.h"

#include <algorithm>

namespace nestor::sim::cim {
namespace {

std::uint64_t hash_of(std::span<const Int> key) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const Int word : key) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

std::span<const Int> Memo::find(std::span<const Int> key) const {
  const std::uint64_t hash = hash_of(key);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask; slots_[slot] != empty; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash != hash || entry.key_size != key.size()) continue;
    const Int* stored = content_.data() + entry.begin;
    if (std::equal(key.begin(), key.end(), stored)) return {stored + entry.key_size, entry.value_size};
  }
  return {};
}

void Memo::insert(std::span<const Int> key, std::span<const Int> value) {
  if (content_.size() + key.size() + value.size() > max_integers_) return;
  Entry entry{.hash = hash_of(key), .begin = content_.size()};
  entry.key_size = static_cast<std::uint32_t>(key.size());
  entry.value_size = static_cast<std::uint32_t>(value.size());
  content_.insert(content_.end(), key.begin(), key.end());
  content_.insert(content_.end(), value.begin(), value.end());
  entries_.push_back(entry);
  if (2 * entries_.size() > slots_.size())
    grow();
  else
    place(static_cast<std::uint32_t>(entries_.size() - 1));
}

void Memo::place(std::uint32_t entry) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = entries_[entry].hash & mask;
  while (slots_[slot] != empty) slot = (slot + 1) & mask;
  slots_[slot] = entry;
}

void Memo::grow() {
  slots_.assign(2 * slots_.size(), empty);
  for (std::size_t i = 0; i < entries_.size(); ++i) place(static_cast<std::uint32_t>(i));
}

}  // namespace nestor::sim::cim
