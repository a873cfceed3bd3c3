// Rows of a stream, relaxed so that the contribution of each operator to a path depends only on its speed
// (docs/models/chip.md, section 8, "Streams"). A row has two relevant times: P, when the pixels of its first
// round are stored, and F, its end. With n rounds of g groups in a row, streams satisfy, by eq. (5.10):
//
//   P(i,r) >= P(j, need(r)) + out_j + in_i + last_i      a round reads the whole window with its last group,
//                                                        and a step takes ceil(row / (n * g)) or more
//   P(i,r) >= F(j, need(r)) + out_j + in_i + last_i      if the first window reads the last pixel of the row
//   F(i,r) >= F(j, need(r)) + out_j + in_i + last_i      if the last window reads it
//   P(i,r) >= in_i + gate_i + first_i, P(i,r) >= F(i, r - q) + first_i, F(i,r) >= P(i,r) + rest_i
//
// with first = ceil(row / n) and rest = row - first. No right side decreases if a speed gets worse in any
// figure, so the best values of a set of options bound all of these options. A running row never waits, so P
// = F - rest is also satisfied. This equation is used on paths that enter an operator at the end of a row and
// leave it at the first pixels of a later row. In heads and tails, it is used for operators with a single
// speed, such as digital operators.
#include <algorithm>

#include "model/chip/search/segment_graph.h"

namespace nestor::chip {
namespace {

constexpr Int nothing = -1;

void raise(Int& value, Int to) { value = std::max(value, to); }

}  // namespace

void SegmentGraph::set_rows(std::size_t op, std::span<const RowTimes> rows, const Speed& speed,
                            SegmentTimes& times) const {
  times.end.resize(offset_.back());
  times.pixels.resize(offset_.back());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    times.end[offset_[op] + r] = rows[r].end;
    times.pixels[offset_[op] + r] = rows[r].run + speed.first;
  }
}

void SegmentGraph::stream_rows(std::size_t k, const Speed& speed, const SegmentTimes& times, Int* pixels,
                               Int* end) const {
  const Int* arrival = times.arrival.data() + offset_[k];
  const Int* pixels_arrival = times.pixels_arrival.data() + offset_[k];
  const Int gate = times.gate_arrival[k] < 0 ? 0 : times.gate_arrival[k] + speed.gate;
  const Int base = speed.in + gate + speed.first;
  const auto lanes = static_cast<std::size_t>(speed.lanes);
  for (std::size_t r = 0; r < rows_[k]; ++r) {
    Int seen = base;
    if (pixels_arrival[r] != nothing) raise(seen, pixels_arrival[r] + speed.in + speed.last);
    if (r >= lanes) raise(seen, end[r - lanes] + speed.first);
    Int done = seen + speed.rest;
    if (arrival[r] != nothing) raise(done, arrival[r] + speed.in + speed.last);
    if (r >= lanes) raise(done, end[r - lanes] + speed.row);
    pixels[r] = one_speed_[k] != 0 ? std::max(seen, done - speed.rest) : seen;
    end[r] = done;
  }
}

Int SegmentGraph::stream_heads(std::span<const Speed> speeds, SegmentTimes& times, std::size_t known) const {
  times.arrival.assign(offset_.back(), nothing);
  times.pixels_arrival.assign(offset_.back(), nothing);
  times.end.resize(offset_.back());
  times.pixels.resize(offset_.back());
  times.gate_arrival.resize(size());
  Int schedule = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    if (k >= known) {
      Int* arrival = times.arrival.data() + offset_[k];
      Int* pixels_arrival = times.pixels_arrival.data() + offset_[k];
      Int gate_arrival = gated_outside_[k] != 0 ? 0 : nothing;
      for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1]; ++e) {
        const Edge& edge = edges_[e];
        const Int* end = times.end.data() + offset_[edge.from];
        const Int* pixels = times.pixels.data() + offset_[edge.from];
        const Int out = speeds[edge.from].out;
        if (edge.gated) {
          raise(gate_arrival, end[rows_[edge.from] - 1] + out);
          continue;
        }
        const std::int32_t* need = needs_.data() + edge.needs;
        const Int* from = edge.first_reads_all ? end : pixels;
        for (std::size_t r = 0; r < rows_[k]; ++r) {
          raise(pixels_arrival[r], from[need[r]] + out);
          if (edge.last_reads_all) raise(arrival[r], end[need[r]] + out);
        }
      }
      times.gate_arrival[k] = gate_arrival;
      stream_rows(k, speeds[k], times, times.pixels.data() + offset_[k], times.end.data() + offset_[k]);
    }
    raise(schedule, times.end[offset_[k + 1] - 1] + speeds[k].out);
  }
  return schedule;
}

void SegmentGraph::stream_tails(std::span<const Speed> speeds, SegmentTimes& times) const {
  times.leave.assign(offset_.back(), nothing);
  times.leave_pixels.assign(offset_.back(), nothing);
  // Longest time from the end of a row to the end of the segment, including `out`.
  std::vector<Int> of_end;
  std::vector<Int> of_pixels;  // longest time from the first pixels of a row to the end of the segment
  for (std::size_t k = size(); k-- > 0;) {
    const Speed& speed = speeds[k];
    const std::size_t rows = rows_[k];
    Int* leave = times.leave.data() + offset_[k];
    Int* leave_pixels = times.leave_pixels.data() + offset_[k];
    raise(leave[rows - 1], 0);
    for (std::size_t r = rows - 1; r-- > 0;) {
      raise(leave[r], leave[r + 1]);
      raise(leave_pixels[r], leave_pixels[r + 1]);
    }
    of_end.resize(rows);
    of_pixels.resize(rows);
    const auto lanes = static_cast<std::size_t>(speed.lanes);
    for (std::size_t r = rows; r-- > 0;) {
      of_end[r] = leave[r] + speed.out;
      if (r + lanes < rows) {
        raise(of_end[r], of_pixels[r + lanes] + speed.first);
        raise(of_end[r], of_end[r + lanes] + speed.row);
      }
      if (one_speed_[k] != 0 && leave_pixels[r] != nothing)
        raise(of_end[r], leave_pixels[r] + speed.out - speed.rest);
      of_pixels[r] = of_end[r] + speed.rest;
      if (leave_pixels[r] != nothing) raise(of_pixels[r], leave_pixels[r] + speed.out);
    }
    for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1]; ++e) {
      const Edge& edge = edges_[e];
      Int* before = times.leave.data() + offset_[edge.from];
      Int* before_pixels = times.leave_pixels.data() + offset_[edge.from];
      if (edge.gated) {
        raise(before[rows_[edge.from] - 1], of_pixels[0] + speed.first + speed.in + speed.gate);
        continue;
      }
      const std::int32_t* need = needs_.data() + edge.needs;
      Int* into = edge.first_reads_all ? before : before_pixels;
      for (std::size_t r = 0; r < rows; ++r) {
        raise(into[need[r]], of_pixels[r] + speed.in + speed.last);
        if (edge.last_reads_all) raise(before[need[r]], of_end[r] + speed.in + speed.last);
      }
    }
  }
}

Int SegmentGraph::stream_with(std::size_t op, const Speed& speed, const SegmentTimes& times,
                              std::vector<Int>& scratch) const {
  const std::size_t rows = rows_[op];
  scratch.resize(2 * rows);
  Int* pixels = scratch.data();
  Int* end = scratch.data() + rows;
  stream_rows(op, speed, times, pixels, end);
  const Int* leave = times.leave.data() + offset_[op];
  const Int* leave_pixels = times.leave_pixels.data() + offset_[op];
  Int schedule = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    raise(schedule, end[r] + leave[r]);
    if (leave_pixels[r] != nothing) raise(schedule, pixels[r] + leave_pixels[r]);
  }
  return schedule + speed.out;
}

SegmentPath SegmentGraph::stream_path(std::span<const Speed> speeds, const SegmentTimes& times) const {
  SegmentPath path;
  path.rows.assign(size(), 0);
  path.gated.assign(size(), 0);
  path.entry.assign(size(), StreamEntry::start);
  path.leaves_early.assign(size(), 0);
  std::size_t k = 0;
  Int longest = -1;
  for (std::size_t i = 0; i < size(); ++i) {
    const Int end = times.end[offset_[i + 1] - 1] + speeds[i].out;
    if (end > longest) {
      longest = end;
      k = i;
    }
  }
  bool at_end = true;  // true at the end of the row, false at its first pixels
  for (std::size_t exit = rows_[k] - 1;;) {
    const Speed& speed = speeds[k];
    const Int* end = times.end.data() + offset_[k];
    const Int* pixels = times.pixels.data() + offset_[k];
    const Int* arrival = times.arrival.data() + offset_[k];
    const Int* pixels_arrival = times.pixels_arrival.data() + offset_[k];
    const auto lanes = static_cast<std::size_t>(speed.lanes);
    path.leaves_early[k] = at_end ? 0 : 1;
    // Goes back to the row at which the path enters the operator.
    std::size_t row = exit;
    for (;;) {
      if (at_end && arrival[row] != nothing && end[row] == arrival[row] + speed.in + speed.last) break;
      const bool ends_by_arrival =
          arrival[row] != nothing && end[row] == arrival[row] + speed.in + speed.last;
      if (!at_end && one_speed_[k] != 0 && ends_by_arrival && pixels[row] == end[row] - speed.rest) {
        at_end = true;
        break;
      }
      if (at_end && end[row] == pixels[row] + speed.rest) at_end = false;
      if (row < lanes ||
          (at_end ? end[row] != end[row - lanes] + speed.row : pixels[row] != end[row - lanes] + speed.first))
        break;
      row -= lanes;
      at_end = true;
    }
    const Int reached = at_end ? arrival[row] : pixels_arrival[row];
    const bool is_read = at_end || (reached != nothing && pixels[row] == reached + speed.in + speed.last);
    const bool by_gate = !is_read && times.gate_arrival[k] >= 0;
    std::size_t entry = is_read ? row : 0;
    // Earlier rows that wait for the same arrival also belong to the path.
    while (is_read && entry > 0 && (at_end ? arrival : pixels_arrival)[entry - 1] == reached) --entry;
    path.entry[k] = !is_read ? StreamEntry::start : at_end ? StreamEntry::end : StreamEntry::pixels;
    path.rows[k] = static_cast<std::int32_t>(exit - entry + 1);
    path.gated[k] = static_cast<std::uint8_t>(by_gate);
    const Int waited = is_read ? reached : by_gate ? times.gate_arrival[k] : 0;
    if (!is_read && (!by_gate || (waited == 0 && gated_outside_[k] != 0))) return path;
    bool found = false;
    for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1] && !found; ++e) {
      const Edge& edge = edges_[e];
      if (edge.gated != by_gate || (is_read && at_end && !edge.last_reads_all)) continue;
      const std::size_t last = rows_[edge.from] - 1;
      const std::size_t need = edge.gated ? last : static_cast<std::size_t>(needs_[edge.needs + entry]);
      const bool whole = edge.gated || at_end || edge.first_reads_all;
      const auto& of = whole ? times.end : times.pixels;
      if (of[offset_[edge.from] + need] + speeds[edge.from].out != waited) continue;
      k = edge.from;
      exit = need;
      at_end = whole;
      found = true;
    }
    if (!found) return path;
  }
}

}  // namespace nestor::chip
