// SPDX-License-Identifier: Apache-2.0
// A list in caller-provided memory, with a capacity fixed at construction. The embedded core uses it where
// FixedVector would put an array for the largest machine on the stack.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace nestor {

template <typename T>
class BoundedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BoundedList() = default;
  /// `items` need not be initialised.
  BoundedList(T* items, std::size_t capacity)
      : items_(items), capacity_(static_cast<std::uint32_t>(capacity)) {}

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  void push_back(const T& value) {
    assert(size_ < capacity_);
    new (items_ + size_++) T(value);
  }
  const T& operator[](std::size_t i) const {
    assert(i < size_);
    return items_[i];
  }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

 private:
  T* items_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace nestor
