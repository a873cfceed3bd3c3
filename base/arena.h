// A bump allocator over bytes that the caller owns: the only source of memory in the embedded core. If the
// free bytes do not suffice, allocate() returns nullptr. rewind() frees all memory allocated after a mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace nestor {

class Arena {
 public:
  Arena() = default;
  explicit Arena(std::span<std::byte> bytes) : bytes_(bytes) {}

  /// Returns uninitialised memory for `count` items, or nullptr if the free bytes do not suffice.
  template <typename T>
  T* allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (until_failure_ != 0 && --until_failure_ == 0) return nullptr;  // NOLINT(bugprone-inc-dec*)
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data()) + used_;
    const std::size_t padding = (alignof(T) - address % alignof(T)) % alignof(T);
    const std::size_t free_bytes = bytes_.size() - used_;
    if (padding > free_bytes || count > (free_bytes - padding) / sizeof(T)) return nullptr;
    T* items = reinterpret_cast<T*>(bytes_.data() + used_ + padding);
    used_ += padding + count * sizeof(T);
    if (used_ > peak_) peak_ = used_;
    return items;
  }

  /// Makes the n-th allocation from now on fail, for fault injection in tests.
  void fail_at(std::uint32_t n) { until_failure_ = n; }

  std::size_t mark() const { return used_; }
  void rewind(std::size_t mark) { used_ = mark; }
  std::size_t peak() const { return peak_; }
  std::size_t size() const { return bytes_.size(); }
  std::size_t available() const { return bytes_.size() - used_; }

 private:
  std::span<std::byte> bytes_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::uint32_t until_failure_ = 0;  // 0: no failure is scheduled
};

}  // namespace nestor
