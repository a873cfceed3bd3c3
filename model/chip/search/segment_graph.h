// The rows of a pipelined segment as a graph (docs/models/chip.md, sections 5 and 8): when each row is
// done at the earliest (heads), how long the rest takes after it (tails), and the longest path, by which
// operators slow each other down. Built once per segment; one pass costs a few steps per row.
//
// All rows of an operator take equally long and needs do not fall, so a later row is never done before an
// earlier one. Hence (8.1) for any path with n_i rows in operator i: schedule >= sum of ceil(n_i / q_i) *
// row_i + in_i + out_i. The longest path meets this with equality.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/evaluate.h"
#include "model/chip/search/options.h"

namespace nestor::chip {

/// What the schedule needs to know of an operator.
struct Speed {
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  Int first = 0;  ///< of streams, as in LatencyOption
  Int rest = 0;
  Int last = 0;
  bool operator==(const Speed&) const = default;
};

constexpr Speed speed_of(const LatencyOption& option) {
  return {option.row,  option.lanes, option.in,   option.out,
          option.gate, option.first, option.rest, option.last};
}
/// `pace` of a stream if that is what the segment is.
constexpr Speed speed_of(const Pace& pace) {
  const Int first = ceil_divide(pace.row, pace.rounds);
  return {pace.row,  pace.lanes, pace.in,          pace.out,
          pace.gate, first,      pace.row - first, ceil_divide(pace.row, pace.steps())};
}
/// The better of two, figure by figure.
constexpr Speed best_of(const Speed& a, const Speed& b) {
  return {std::min(a.row, b.row),   std::max(a.lanes, b.lanes), std::min(a.in, b.in),
          std::min(a.out, b.out),   std::min(a.gate, b.gate),   std::min(a.first, b.first),
          std::min(a.rest, b.rest), std::min(a.last, b.last)};
}
/// Every speed is better.
inline constexpr Speed slowest_speed = {
    INT64_MAX / 4, 1, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4, INT64_MAX / 4,
    INT64_MAX / 4};

/// How a path of a stream enters an operator: at its first row, at the first pixels of a row, or at its end.
enum class StreamEntry : std::uint8_t { start, pixels, end };

/// Rows of each operator on a path (0: not on it), and whether it is entered by its gate.
struct SegmentPath {
  std::vector<std::int32_t> rows;
  std::vector<std::uint8_t> gated;
  // Of streams, else empty.
  std::vector<StreamEntry> entry;
  std::vector<std::uint8_t> leaves_early;  ///< at the first pixels of the last row, not at its end

  /// What an operator adds to the path's length.
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
    // Pixels come `rest` before the end of their row.
    if (leaves_early[op] == 0 && !by_end) sum += speed.rest;
    if (leaves_early[op] != 0 && by_end) sum -= speed.row - speed.first;
    return sum;
  }
};

/// Times of all rows of a segment, operator after operator; kept by callers so that passes do not allocate.
struct SegmentTimes {
  std::vector<Int> arrival;  ///< latest end of what a row waits for, `out` included
  std::vector<Int> end;      ///< F
  std::vector<Int>
      leave;  ///< longest way from the end of a row to the end of the segment, own `out` excluded
  std::vector<Int> gate_arrival;  ///< per operator; -1: no gated input
  // Of streams: the same of the first pixels of a row. Arrivals at ends and at first pixels, -1: none.
  std::vector<Int> pixels_arrival;
  std::vector<Int> pixels;
  std::vector<Int> leave_pixels;
};

class SegmentGraph {
 public:
  /// An operator that reads another of the segment.
  struct Edge {
    std::uint32_t from;
    bool gated;
    std::size_t needs;  ///< position of the needed row of each row; of no meaning if gated
    // Of streams: what the first window, and the last one, read is only there with the last pixel of a row.
    bool first_reads_all = false;
    bool last_reads_all = false;
  };

  /// A stream has a relaxation of its rows, docs/models/chip.md (8.5): what it says is no later than what
  /// happens (stream_graph.cpp).
  SegmentGraph(const ChipProblem& problem, std::size_t first, std::size_t last, bool stream = false);
  bool is_stream() const { return stream_; }

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

  /// Fills arrival and end; returns the schedule. In a stream, times of the first `known` operators stand.
  Int heads(std::span<const Speed> speeds, SegmentTimes& times, std::size_t known = 0) const;
  /// The times of an operator of a stream, as they are known.
  void set_rows(std::size_t op, std::span<const RowTimes> rows, const Speed& speed,
                SegmentTimes& times) const;
  /// Fills leave; heads need not have run.
  void tails(std::span<const Speed> speeds, SegmentTimes& times) const;
  /// The schedule if only `op` ran at `speed`, or a bound below it that reaches `limit`.
  Int with(std::size_t op, const Speed& speed, const SegmentTimes& times, std::vector<Int>& scratch) const;
  /// A longest path under the speeds that `times` has heads of.
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
  std::vector<std::uint8_t> one_speed_;  ///< digital operators: their speeds are no range
};

}  // namespace nestor::chip
