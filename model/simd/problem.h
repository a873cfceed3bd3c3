// A netlist and a machine in a flat form for scheduling (docs/models/simd.md, section 2). Values are numbered
// from 0, primary inputs first, then gates; constants are removed. Each gate lists its distinct fanin values,
// and each value the gates that read it. All schedulers use this form instead of the Netlist.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/checked.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

using Value = std::uint32_t;
inline constexpr Value no_value = ~Value{0};

/// A gate's distinct non-constant fanins, padded with no_value.
using Fanins = std::array<Value, 3>;

inline bool contains(const Fanins& fanins, Value value) {
  return fanins[0] == value || fanins[1] == value || fanins[2] == value;
}

class ScheduleProblem {
 public:
  /// An `array_limit` of 0 means as many arrays as useful.
  ScheduleProblem(const Netlist& netlist, std::uint32_t rows, std::uint32_t array_limit);

  std::uint32_t rows() const { return rows_; }
  std::uint32_t array_limit() const { return array_limit_; }
  std::uint32_t input_count() const { return input_count_; }
  std::uint32_t gate_count() const { return static_cast<std::uint32_t>(fanins_.size()); }
  std::uint32_t value_count() const { return input_count_ + gate_count(); }

  bool is_input(Value value) const { return value < input_count_; }
  std::uint32_t gate_of(Value value) const { return value - input_count_; }
  Value value_of_gate(std::uint32_t gate) const { return input_count_ + gate; }
  NodeIndex node_of(Value value) const { return value + 1; }

  const Fanins& fanins(std::uint32_t gate) const { return fanins_[gate]; }
  std::span<const std::uint32_t> readers(Value value) const {
    return {readers_.data() + reader_begin_[value], reader_begin_[value + 1] - reader_begin_[value]};
  }
  const std::vector<std::uint32_t>& reader_begin() const { return reader_begin_; }
  const std::vector<std::uint32_t>& all_readers() const { return readers_; }
  /// True if the value must be stored when the schedule ends; always false for an input.
  bool must_stay(Value value) const { return must_stay_[value] != 0; }
  std::uint32_t stay_count() const { return static_cast<std::uint32_t>(staying_.size()); }
  /// Values that must stay, in the order of the outputs.
  const std::vector<Value>& staying() const { return staying_; }

  /// Returns the number of arrays that hold inputs at the start, by (2.1).
  std::uint32_t home_arrays() const { return static_cast<std::uint32_t>(ceil_divide(input_count_, rows_)); }
  std::uint32_t home_of(Value input) const { return input / rows_; }
  /// Returns the number of rows of an array that may be written: free(A) in the bounds.
  std::uint32_t free_rows(std::uint32_t array) const {
    const std::uint64_t first = std::uint64_t{array} * rows_;
    if (first >= input_count_) return rows_;
    const std::uint64_t held = input_count_ - first;
    return held >= rows_ ? 0 : rows_ - static_cast<std::uint32_t>(held);
  }
  /// True if the machine has enough rows for the inputs.
  bool inputs_fit() const { return array_limit_ == 0 || home_arrays() <= array_limit_; }

 private:
  std::uint32_t rows_;
  std::uint32_t array_limit_;
  std::uint32_t input_count_;
  std::vector<Fanins> fanins_;
  std::vector<std::uint32_t> reader_begin_;
  std::vector<std::uint32_t> readers_;
  std::vector<std::uint8_t> must_stay_;
  std::vector<Value> staying_;
};

}  // namespace nestor::simd
