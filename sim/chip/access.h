// Accesses of an operation to bytes of L0 and to crossbars (internal to sim/chip). Crossbars are numbered
// after all bytes, so that both are ranges on one number line.
#pragma once

#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/memory.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

inline constexpr Int first_crossbar = Int{1} << 42;

struct Range {
  Int begin = 0, end = 0;
  bool operator<(const Range& other) const { return begin < other.begin; }
};

struct Accesses {
  std::vector<Range> reads, writes;
  void add(const Accesses& more) {
    reads.insert(reads.end(), more.reads.begin(), more.reads.end());
    writes.insert(writes.end(), more.writes.begin(), more.writes.end());
  }
};

class AccessMap {
 public:
  AccessMap(const Program& program, const nestor::chip::ChipMachine& machine);

  /// Returns the accesses of an operation that has passed check().
  Accesses of(const Op& op) const;

 private:
  void read_window(std::size_t op, Int y0, Int y1, Accesses& into, Int shift) const;
  void read_rows(const TensorOperand& operand, Int from, Int to, Accesses& into, Int shift) const;
  void copy_crossbars(std::size_t op, Int copy, std::vector<Range>& into) const;
  Range result(std::size_t op, Int y, Int x, Int pixels) const;

  const Program& program_;
  const nestor::chip::ChipMachine& machine_;
  std::vector<std::vector<TensorOperand>> operands_;
};

/// Sorts the ranges and joins those that overlap or touch.
void join(std::vector<Range>& ranges);

}  // namespace nestor::sim::chip
