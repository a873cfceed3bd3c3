// Storage of the label search where there is no heap: arrays in an arena that the caller owns. An array that
// must grow moves to new room, or grows in place where it is the last one in the arena; the room that it
// leaves is not used again, so that at most half of the arena is lost to growth.
#pragma once

#include <type_traits>

#include "base/arena.h"
#include "solver/search/concepts.h"

namespace nestor {

template <typename T>
class ArenaArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  explicit ArenaArray(Arena& arena) : arena_(&arena) {}
  ArenaArray(const ArenaArray&) = delete;
  ArenaArray& operator=(const ArenaArray&) = delete;

  bool push_back(const T& item) {
    if (size_ == capacity_ && !reserve(capacity_ == 0 ? first_capacity : capacity_ * 2)) return false;
    items_[size_++] = item;
    return true;
  }
  bool resize(std::size_t size, const T& fill) {
    if (size > capacity_ && !reserve(size)) return false;
    for (; size_ < size; ++size_) items_[size_] = fill;
    size_ = size;
    return true;
  }
  void pop_back() { --size_; }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }

 private:
  static constexpr std::size_t first_capacity = 16;

  bool reserve(std::size_t capacity) {
    const bool last =
        capacity_ > 0 && arena_->remainder().data() == reinterpret_cast<const std::byte*>(items_ + capacity_);
    if (last) {
      if (arena_->allocate<T>(capacity - capacity_) == nullptr) return false;
    } else {
      T* items = arena_->allocate<T>(capacity);
      if (items == nullptr) return false;
      for (std::size_t i = 0; i < size_; ++i) items[i] = items_[i];
      items_ = items;
    }
    capacity_ = capacity;
    return true;
  }

  Arena* arena_;
  T* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The arena outlives every array made from it.
class ArenaStorage {
 public:
  template <typename T>
  using Array = ArenaArray<T>;

  explicit ArenaStorage(Arena& arena) : arena_(&arena) {}
  operator Arena&() const { return *arena_; }  // NOLINT(google-explicit-constructor)

 private:
  Arena* arena_;
};

static_assert(SearchStorage<ArenaStorage>);

}  // namespace nestor
