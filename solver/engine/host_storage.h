// Storage of the label search on a desktop. The growth of its arrays is charged to a shared memory budget, so
// that reaching the memory limit results in a status, never in a crash. Targets without a heap use
// solver/search/depth_first.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "base/arena.h"

namespace nestor {

/// Memory limit shared by several owners. It must outlive everything that is charged to it: storages,
/// charges, and the spaces and engines that contain them. These return their memory when they are destroyed.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::size_t limit) : limit_(limit) {}

  bool take(std::size_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return true;
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return false;
  }
  void give_back(std::size_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }

 private:
  std::size_t limit_;
  std::atomic<std::size_t> used_{0};
};

/// A charge to a budget for data that grows. The destructor cancels the charge.
class MemoryCharge {
 public:
  explicit MemoryCharge(MemoryBudget& budget) : budget_(budget) {}
  MemoryCharge(const MemoryCharge&) = delete;
  MemoryCharge& operator=(const MemoryCharge&) = delete;
  ~MemoryCharge() { budget_.give_back(bytes_); }

  /// Raises the total charge to `bytes`. Returns false if the budget does not suffice.
  bool raise_to(std::size_t bytes) {
    if (bytes <= bytes_) return true;
    if (!budget_.take(bytes - bytes_)) return false;
    bytes_ = bytes;
    return true;
  }

 private:
  MemoryBudget& budget_;
  std::size_t bytes_ = 0;
};

template <typename T>
class BudgetedArray {
 public:
  explicit BudgetedArray(MemoryBudget& budget) : budget_(budget) {}
  BudgetedArray(const BudgetedArray&) = delete;
  BudgetedArray& operator=(const BudgetedArray&) = delete;
  ~BudgetedArray() { budget_.give_back(items_.capacity() * sizeof(T)); }

  bool push_back(const T& item) {
    if (items_.size() == items_.capacity() && !reserve(items_.empty() ? first_capacity : items_.size() * 2))
      return false;
    items_.push_back(item);
    return true;
  }
  bool resize(std::size_t size, const T& fill) {
    if (size > items_.capacity() && !reserve(size)) return false;
    items_.resize(size, fill);
    return true;
  }
  void pop_back() { items_.pop_back(); }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }

 private:
  static constexpr std::size_t first_capacity = 64;

  // While a vector grows, both the old and the new block exist. The system may have less memory than the
  // budget.
  bool reserve(std::size_t capacity) {
    if (!budget_.take(capacity * sizeof(T))) return false;
    std::size_t unused = items_.capacity() * sizeof(T);
    bool grown = true;
    try {
      items_.reserve(capacity);
    } catch (const std::bad_alloc&) {
      unused = capacity * sizeof(T);
      grown = false;
    }
    budget_.give_back(unused);
    return grown;
  }

  MemoryBudget& budget_;
  std::vector<T> items_;
};

/// Uninitialized memory. Pages that are never written take no time.
class BudgetedBytes {
 public:
  explicit BudgetedBytes(MemoryBudget& budget) : charge_(budget) {}

  /// Allocates the memory on the first call. Returns false if the budget or the system has too little.
  bool allocate(std::size_t size) {
    if (bytes_ != nullptr) return true;
    if (!charge_.raise_to(size)) return false;
    bytes_.reset(new (std::nothrow) std::byte[size]);
    size_ = bytes_ == nullptr ? 0 : size;
    return bytes_ != nullptr;
  }
  Arena arena() { return Arena({bytes_.get(), size_}); }

 private:
  MemoryCharge charge_;
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

/// Storage for LabelSearch. The arrays are charged to a memory budget.
class HostStorage {
 public:
  template <typename T>
  using Array = BudgetedArray<T>;
  using Bytes = BudgetedBytes;

  explicit HostStorage(MemoryBudget& budget) : budget_(&budget) {}
  std::size_t limit() const { return budget_->limit(); }
  /// True if more than half of the budget is used; data that can be rebuilt should then be freed.
  bool tight() const { return budget_->used() > budget_->limit() / 2; }
  operator MemoryBudget&() const { return *budget_; }  // NOLINT(google-explicit-constructor)

 private:
  MemoryBudget* budget_;
};

}  // namespace nestor
