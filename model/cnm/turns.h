// Tasklets in the order in which they come to the pipeline, for model/cnm/dpu_machine: a queue of those that
// come back from the engine or a barrier, and a ring of those that take their turns. Nearly all time of a
// ranked space is spent here, so a ring keeps keys and slots side by side and a rotation is one loop without
// branches.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/checked.h"

namespace nestor::cnm {

inline constexpr std::uint32_t max_tasklets = 64;
/// Of a turn's key, for the tasklet's number.
inline constexpr Int tasklet_bits = 6;
static_assert(max_tasklets == 1U << tasklet_bits);

/// A tasklet's next slot. Of two the one with the least key is first: the cycle it is ready, then its number.
struct Turn {
  Int key = 0;
  Int slots = 0;
  Int ready() const { return key >> tasklet_bits; }
  std::uint32_t index() const { return static_cast<std::uint32_t>(key) % max_tasklets; }
};
constexpr Int turn_key(Int ready, std::uint32_t index = 0) { return ready << tasklet_bits | Int{index}; }

/// Turns by their keys.
class TurnQueue {
 public:
  bool empty() const { return size_ == 0; }
  const Turn& front() const { return turns_[head_]; }
  void pop() {
    head_ = (head_ + 1) % max_tasklets;
    --size_;
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

/// Turns in the order in which they are taken, at most max_tasklets. It moves through its memory and begins
/// anew when it comes to the end.
class TurnRing {
 public:
  bool empty() const { return head_ == end_; }
  std::size_t size() const { return end_ - head_; }
  Turn front() const { return {keys_[head_], slots_[head_]}; }
  Turn back() const { return {keys_[end_ - 1], slots_[end_ - 1]}; }
  void clear() { head_ = end_ = 0; }
  void pop() { ++head_; }
  void push(const Turn& turn) {
    make_room(1);
    keys_[end_] = turn.key;
    slots_[end_++] = turn.slots;
  }
  Int fewest_slots(Int fewest) const {
    for (std::size_t i = head_; i < end_; ++i) fewest = std::min(fewest, slots_[i]);
    return fewest;
  }

  struct Taken {
    std::size_t count = 0;
    Int now = 0;     ///< the next free cycle
    Int fewest = 0;  ///< the least slots left among those that took a turn, and what was given
  };
  /// One slot of each from the front on, up to one that has `none_left` or a key beyond `limit`; from cycle
  /// `now` on, each as soon as it is ready and the one before has had its cycle. Each is ready again `gap`
  /// later. No two are ready in the same cycle, so the i-th takes its turn when it is ready or at now + i.
  Taken rotate(Int limit, Int none_left, Int now, Int gap, Int fewest) {
    make_room(size());
    const std::size_t size = end_ - head_;
    const Int* const keys = keys_.data() + head_;
    const Int* const slots = slots_.data() + head_;
    std::size_t count = 0;
    while (count < size && keys[count] <= limit && slots[count] != none_left) ++count;
    Int* const next_keys = keys_.data() + end_;
    Int* const next_slots = slots_.data() + end_;
    for (std::size_t i = 0; i < count; ++i) {
      const Int index = keys[i] & (Int{max_tasklets} - 1);
      const Int from_now = (now + static_cast<Int>(i)) << tasklet_bits | index;
      next_keys[i] = std::max(keys[i], from_now) + (gap << tasklet_bits);
      next_slots[i] = slots[i] - 1;
      fewest = std::min(fewest, slots[i] - 1);
    }
    head_ += count;
    end_ += count;
    return {count, count == 0 ? now : back().ready() - gap + 1, fewest};
  }

 private:
  static constexpr std::size_t capacity = std::size_t{16} * max_tasklets;

  void make_room(std::size_t count) {
    if (end_ + count <= capacity) return;
    std::copy(keys_.begin() + static_cast<std::ptrdiff_t>(head_),
              keys_.begin() + static_cast<std::ptrdiff_t>(end_), keys_.begin());
    std::copy(slots_.begin() + static_cast<std::ptrdiff_t>(head_),
              slots_.begin() + static_cast<std::ptrdiff_t>(end_), slots_.begin());
    end_ -= head_;
    head_ = 0;
  }

  std::array<Int, capacity> keys_{}, slots_{};
  std::size_t head_ = 0, end_ = 0;
};

}  // namespace nestor::cnm
