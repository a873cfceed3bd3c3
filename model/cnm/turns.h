// Tasklets in the order in which they use the pipeline, for model/cnm/dpu_machine: a queue of the tasklets
// that return from the engine or a barrier, and a ring of the tasklets that take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/checked.h"

namespace nestor::cnm {

inline constexpr std::uint32_t max_tasklets = 64;
/// Number of bits for the tasklet's number in a turn's key.
inline constexpr Int tasklet_bits = 6;
static_assert(max_tasklets == 1U << tasklet_bits);

/// Next slot of a tasklet. The key consists of the cycle at which the tasklet is ready and its number. The
/// turn with the least key is first.
struct Turn {
  Int key = 0;
  Int slots = 0;
  Int ready() const { return key >> tasklet_bits; }
  std::uint32_t index() const { return static_cast<std::uint32_t>(key) % max_tasklets; }
};
constexpr Int turn_key(Int ready, std::uint32_t index = 0) { return ready << tasklet_bits | Int{index}; }

/// Turns sorted by key.
class TurnQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const Turn& front() const { return turns_[head_]; }
  const Turn& second() const { return turns_[(head_ + 1) % max_tasklets]; }
  /// Returns element i from the front. Keys must stay sorted.
  Turn& operator[](std::size_t i) { return place(i); }
  void pop() {
    head_ = (head_ + 1) % max_tasklets;
    --size_;
  }
  /// Replaces the front turn by a turn whose key is not smaller.
  void move_front(const Turn& turn) {
    pop();
    insert(turn);
  }
  void clear() { head_ = size_ = 0; }
  void insert(const Turn& turn) {
    std::size_t at = size_++;
    for (; at > 0 && turn.key < place(at - 1).key; --at) place(at) = place(at - 1);
    place(at) = turn;
  }

 private:
  Turn& place(std::size_t i) { return turns_[(head_ + i) % max_tasklets]; }

  std::array<Turn, max_tasklets> turns_{};
  std::size_t head_ = 0, size_ = 0;
};

/// Ring of at most max_tasklets turns, in the order in which they are taken.
class TurnRing {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const Turn& front() const { return turns_[head_]; }
  const Turn& back() const { return turns_[(head_ + size_ - 1) % max_tasklets]; }
  void clear() { head_ = size_ = 0; }
  void pop() {
    head_ = (head_ + 1) % max_tasklets;
    --size_;
  }
  void push(const Turn& turn) { turns_[(head_ + size_++) % max_tasklets] = turn; }
  /// Moves the front tasklet to the back; `turn` is its next turn.
  void front_to_back(const Turn& turn) {
    turns_[(head_ + size_) % max_tasklets] = turn;
    head_ = (head_ + 1) % max_tasklets;
  }
  Int fewest_slots(Int fewest) const {
    for (std::size_t i = 0; i < size_; ++i)
      fewest = std::min(fewest, turns_[(head_ + i) % max_tasklets].slots);
    return fewest;
  }

 private:
  std::array<Turn, max_tasklets> turns_{};
  std::size_t head_ = 0, size_ = 0;
};

}  // namespace nestor::cnm
