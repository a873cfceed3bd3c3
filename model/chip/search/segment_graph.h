// Rows of a pipelined segment as a graph (docs/models/chip.md, sections 5 and 8): the earliest end of each
// row (heads), the longest time from there to the end of the segment (tails), and the longest path. The graph
// is built once per segment; one pass takes a few operations per row.
//
// All rows of an operator take equally long, and a later row never needs an earlier row of an input, so a
// later row never ends before an earlier row. Hence eq. (8.1) for any path with n_i rows in operator i:
// schedule >= sum of ceil(n_i / q_i) * row_i + in_i + out_i. For the longest path, this is an equality.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/evaluate.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// Figures of an operator that determine the schedule.
struct Speed {
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  Int first = 0;  ///< only for streams, as are `rest` and `last`; see LatencyOption
  Int rest = 0;
  Int last = 0;
  bool operator==(const Speed&) const = default;
};

constexpr Speed speed_of(const LatencyOption& option) {
  return {option.row,  option.lanes, option.in,   option.out,
          option.gate, option.first, option.rest, option.last};
}
/// For a stream, `pace.in` must be the value for streams (`stream_in`).
constexpr Speed speed_of(const OperatorTiming& pace) {
  const Int first = ceil_divide(pace.row, pace.rounds);
  return {pace.row,  pace.lanes, pace.in,          pace.out,
          pace.gate, first,      pace.row - first, ceil_divide(pace.row, pace.steps())};
}
/// Returns the better value of each figure, from either speed.
constexpr Speed best_of(const Speed& a, const Speed& b) {
  return {std::min(a.row, b.row),   std::max(a.lanes, b.lanes), std::min(a.in, b.in),
          std::min(a.out, b.out),   std::min(a.gate, b.gate),   std::min(a.first, b.first),
          std::min(a.rest, b.rest), std::min(a.last, b.last)};
}
/// Speed that is at least as slow as any other in every figure.
inline constexpr Speed slowest_speed = {
    INT64_MAX / 4, 1, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4,
    INT64_MAX / 4};

/// Point at which a path of a stream enters an operator: its first row, the first pixels of a row, or the end
/// of a row.
enum class StreamEntry : std::uint8_t { start, pixels, end };

/// A path, as the number of its rows in each operator (0: it does not enter the operator), and the operators
/// that it enters through their gate.
struct SegmentPath {
  std::vector<std::int32_t> rows;
  std::vector<std::uint8_t> gated;
  // Used by streams, otherwise empty.
  std::vector<StreamEntry> entry;
  /// 1 if the path leaves the operator at the first pixels of its last row, not at the end of this row.
  std::vector<std::uint8_t> leaves_early;

  /// Returns the length of the path's part in an operator.
  Int length(std::size_t op, const Speed& speed) const {
    if (rows[op] == 0) return 0;
    if (!entry.empty()) return stream_length(op, speed);
    return ceil_divide(rows[op], speed.lanes) * speed.row + speed.in + speed.out +
           (gated[op] != 0 ? speed.gate : 0);
  }
  bool operator==(const SegmentPath&) const = default;

 private:
  Int stream_length(std::size_t op, const Speed& speed) const {
    const bool by_end = entry[op] == StreamEntry::end;
    const Int rounds = ceil_divide(rows[op], speed.lanes) - 1;
    Int sum = speed.in + speed.out + rounds * speed.row + (gated[op] != 0 ? speed.gate : 0);
    sum += entry[op] == StreamEntry::start ? speed.first : speed.last;
    // The first pixels of a row are stored `rest` cycles before its end.
    if (leaves_early[op] == 0 && !by_end) sum += speed.rest;
    if (leaves_early[op] != 0 && by_end) sum -= speed.row - speed.first;
    return sum;
  }
};

/// Times of all rows of a segment, operator by operator. Callers reuse the object so that later passes do not
/// allocate.
struct SegmentTimes {
  std::vector<Int> arrival;  ///< latest end of a row's inputs, including `out`
  std::vector<Int> end;      ///< F: end of each row
  /// Longest path from the end of a row to the end of the segment, without the operator's `out`.
  std::vector<Int> leave;
  std::vector<Int> gate_arrival;  ///< per operator; -1: no gated input
  // Used by streams: the corresponding times for the first pixels of a row. In `arrival` and
  // `pixels_arrival`, -1 means that the row does not wait for an input.
  std::vector<Int> pixels_arrival;
  std::vector<Int> pixels;
  std::vector<Int> leave_pixels;
};

class SegmentGraph {
 public:
  /// Input of an operator from another operator of the segment.
  struct Edge {
    std::uint32_t from;
    bool gated;
    std::size_t needs;  ///< position in `needs_` of the row that the first row needs; unused if gated
    // Used by streams: true if the first (or the last) window reads the last pixel of a row.
    bool first_reads_all = false;
    bool last_reads_all = false;
  };

  /// For a stream, the graph is a relaxation of its rows, docs/models/chip.md (8.5): its times are never
  /// later than the actual times (stream_graph.cpp).
  SegmentGraph(const ChipProblem& problem, std::size_t first, std::size_t last, bool stream = false);
  bool is_stream() const { return stream_; }

  std::size_t size() const { return rows_.size(); }
  std::size_t first() const { return first_; }
  Int rows(std::size_t op) const { return static_cast<Int>(rows_[op]); }
  /// Returns the inputs of an operator from other operators of the segment. needed() returns the row of an
  /// input that row `row` needs.
  std::span<const Edge> edges(std::size_t op) const {
    return std::span(edges_).subspan(edge_begin_[op], edge_begin_[op + 1] - edge_begin_[op]);
  }
  std::size_t needed(const Edge& edge, std::size_t row) const {
    return edge.gated ? rows_[edge.from] - 1 : static_cast<std::size_t>(needs_[edge.needs + row]);
  }
  /// True if a tensor from outside the segment gates the operator.
  bool gated_outside(std::size_t op) const { return gated_outside_[op] != 0; }

  /// Computes arrivals and ends, and returns the length of the schedule. In a stream, the times of the first
  /// `known` operators are those that set_rows() has stored.
  Int heads(std::span<const Speed> speeds, SegmentTimes& times, std::size_t known = 0) const;
  /// Stores the ends and the first pixels of the rows of an operator of a stream.
  void set_rows(std::size_t op, std::span<const RowTimes> rows, const Speed& speed,
                SegmentTimes& times) const;
  /// Computes `leave`. heads() need not be called first.
  void tails(std::span<const Speed> speeds, SegmentTimes& times) const;
  /// Returns the length of the longest path through `op` if only the speed of `op` is changed to `speed`.
  /// `times` must have the heads and tails at the other speeds.
  Int with(std::size_t op, const Speed& speed, const SegmentTimes& times, std::vector<Int>& scratch) const;
  /// Returns a longest path at these speeds; `times` must have their heads.
  SegmentPath longest_path(std::span<const Speed> speeds, const SegmentTimes& times) const;

 private:
  void stream_rows(std::size_t op, const Speed& speed, const SegmentTimes& times, Int* pixels,
                   Int* end) const;
  Int stream_heads(std::span<const Speed> speeds, SegmentTimes& times, std::size_t known) const;
  void stream_tails(std::span<const Speed> speeds, SegmentTimes& times) const;
  Int stream_with(std::size_t op, const Speed& speed, const SegmentTimes& times,
                  std::vector<Int>& scratch) const;
  SegmentPath stream_path(std::span<const Speed> speeds, const SegmentTimes& times) const;

  bool stream_;
  std::size_t first_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> offset_;
  std::vector<std::size_t> edge_begin_;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> needs_;
  std::vector<std::uint8_t> gated_outside_;
  std::vector<std::uint8_t> one_speed_;  ///< 1: runs only on the digital unit, with a single speed
};

}  // namespace nestor::chip
