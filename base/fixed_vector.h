// A vector with inline storage and a capacity known at compile time. The embedded core uses it where desktop
// code would use std::vector. It is trivially copyable if its elements are. Pushing beyond the capacity is a
// programming error; readers of input check against capacity() first.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace nestor {

template <typename T, std::size_t Capacity>
class FixedVector {
 public:
  using value_type = T;

  constexpr FixedVector() = default;

  static constexpr std::size_t capacity() { return Capacity; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == Capacity; }

  constexpr void clear() { size_ = 0; }
  constexpr void push_back(const T& value) {
    assert(size_ < Capacity);
    items_[size_++] = value;
  }
  constexpr void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  constexpr void resize(std::size_t size) {
    assert(size <= Capacity);
    for (std::size_t i = size_; i < size; ++i) items_[i] = T{};
    size_ = static_cast<std::uint32_t>(size);
  }
  /// Removes item i and shifts the later items down.
  constexpr void erase_at(std::size_t i) {
    assert(i < size_);
    for (; i + 1 < size_; ++i) items_[i] = items_[i + 1];
    --size_;
  }

  constexpr T& operator[](std::size_t i) {
    assert(i < size_);
    return items_[i];
  }
  constexpr const T& operator[](std::size_t i) const {
    assert(i < size_);
    return items_[i];
  }
  constexpr T& back() { return (*this)[size_ - 1]; }
  constexpr const T& back() const { return (*this)[size_ - 1]; }
  constexpr T* begin() { return items_.data(); }
  constexpr T* end() { return items_.data() + size_; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }

  friend constexpr bool operator==(const FixedVector& a, const FixedVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i)
      if (!(a.items_[i] == b.items_[i])) return false;
    return true;
  }

 private:
  std::array<T, Capacity> items_{};
  std::uint32_t size_ = 0;
};

}  // namespace nestor
