// The rows of a pipelined segment as a graph (docs/models/chip.md, sections 5 and 8): when each row is
// done at the earliest (heads), how long the rest takes after it (tails), and the longest path, by which
// operators slow each other down. Built once per segment; one pass costs a few steps per row.
//
// All rows of an operator take equally long and needs do not fall, so a later row is never done before an
// earlier one. Hence (8.1) for any path with n_i rows in operator i: schedule >= sum of ceil(n_i / q_i) *
// row_i + in_i + out_i. The longest path meets this with equality.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/search/options.h"

namespace nestor::chip {

/// What the schedule needs to know of an operator.
struct Speed {
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
};

constexpr Speed speed_of(const LatencyOption& option) {
  return {option.row, option.lanes, option.in, option.out, option.gate};
}

/// Rows of each operator on a path (0: not on it), and whether it is entered by its gate.
struct SegmentPath {
  std::vector<std::int32_t> rows;
  std::vector<std::uint8_t> gated;

  /// What an operator adds to the path's length.
  Int length(std::size_t op, const Speed& speed) const {
    if (rows[op] == 0) return 0;
    return ceil_divide(rows[op], speed.lanes) * speed.row + speed.in + speed.out +
           (gated[op] != 0 ? speed.gate : 0);
  }
  bool operator==(const SegmentPath&) const = default;
};

/// Times of all rows of a segment, operator after operator; kept by callers so that passes do not allocate.
struct SegmentTimes {
  std::vector<Int> arrival;  ///< latest end of what a row waits for, `out` included
  std::vector<Int> end;      ///< F
  std::vector<Int>
      leave;  ///< longest way from the end of a row to the end of the segment, own `out` excluded
  std::vector<Int> gate_arrival;  ///< per operator; -1: no gated input
};

class SegmentGraph {
 public:
  /// An operator that reads another of the segment.
  struct Edge {
    std::uint32_t from;
    bool gated;
    std::size_t needs;  ///< position of the needed row of each row; of no meaning if gated
  };

  SegmentGraph(const ChipProblem& problem, std::size_t first, std::size_t last);

  std::size_t size() const { return rows_.size(); }
  std::size_t first() const { return first_; }
  Int rows(std::size_t op) const { return static_cast<Int>(rows_[op]); }
  /// What the operator reads, and the row of it that each row needs.
  std::span<const Edge> edges(std::size_t op) const {
    return std::span(edges_).subspan(edge_begin_[op], edge_begin_[op + 1] - edge_begin_[op]);
  }
  std::size_t needed(const Edge& edge, std::size_t row) const {
    return edge.gated ? rows_[edge.from] - 1 : static_cast<std::size_t>(needs_[edge.needs + row]);
  }
  /// Is it gated by a tensor from outside the segment?
  bool gated_outside(std::size_t op) const { return gated_outside_[op] != 0; }

  /// Fills arrival and end; returns the schedule.
  Int heads(std::span<const Speed> speeds, SegmentTimes& times) const;
  /// Fills leave; heads need not have run.
  void tails(std::span<const Speed> speeds, SegmentTimes& times) const;
  /// The schedule if only `op` ran at `speed`, or a bound below it that reaches `limit`.
  Int with(std::size_t op, const Speed& speed, const SegmentTimes& times, std::vector<Int>& scratch) const;
  /// A longest path under the speeds that `times` has heads of.
  SegmentPath longest_path(std::span<const Speed> speeds, const SegmentTimes& times) const;

 private:
  std::size_t first_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> offset_;
  std::vector<std::size_t> edge_begin_;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> needs_;
  std::vector<std::uint8_t> gated_outside_;
};

}  // namespace nestor::chip
