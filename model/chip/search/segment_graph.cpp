#include "model/chip/search/segment_graph.h"

#include <algorithm>

namespace nestor::chip {

SegmentGraph::SegmentGraph(const ChipProblem& problem, std::size_t first, std::size_t last, bool stream)
    : stream_(stream), first_(first) {
  const ChipNetwork& network = problem.network;
  offset_.push_back(0);
  edge_begin_.push_back(0);
  for (std::size_t i = first; i <= last; ++i) {
    const Operator& op = network.operators[i];
    const auto rows = static_cast<std::size_t>(op.rows);
    bool gated_outside = false;
    for (const auto& input : op.inputs) {
      if (network.is_input(input.tensor) || network.producer(input.tensor) < first) {
        gated_outside |= input.gated;
        continue;
      }
      const std::size_t from = network.producer(input.tensor);
      edges_.push_back({static_cast<std::uint32_t>(from - first), input.gated, needs_.size()});
      if (input.gated) continue;
      const Int width = network.operators[from].width;
      const auto reads_all = [&](Int window) {
        return !input.pixels || needed_element(*input.pixels, window, width) == width - 1;
      };
      edges_.back().first_reads_all = reads_all(0);
      edges_.back().last_reads_all = reads_all(op.width - 1);
      for (std::size_t r = 0; r < rows; ++r)
        needs_.push_back(
            static_cast<std::int32_t>(needed_row(input, static_cast<Int>(r), network.operators[from].rows)));
    }
    rows_.push_back(rows);
    offset_.push_back(offset_.back() + rows);
    edge_begin_.push_back(edges_.size());
    gated_outside_.push_back(static_cast<std::uint8_t>(gated_outside));
    const bool is_digital = op.kind == OperatorKind::alu || !problem.facts[i].may_use_array;
    one_speed_.push_back(static_cast<std::uint8_t>(is_digital));
  }
}

Int SegmentGraph::heads(std::span<const Speed> speeds, SegmentTimes& times, std::size_t known) const {
  if (stream_) return stream_heads(speeds, times, known);
  times.arrival.assign(offset_.back(), 0);
  times.end.resize(offset_.back());
  times.gate_arrival.resize(size());
  Int schedule = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    Int* arrival = times.arrival.data() + offset_[k];
    Int gate_arrival = gated_outside_[k] != 0 ? 0 : -1;
    const std::size_t rows = rows_[k];
    for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1]; ++e) {
      const Edge& edge = edges_[e];
      const Int* end = times.end.data() + offset_[edge.from];
      const Int out = speeds[edge.from].out;
      if (edge.gated) {
        gate_arrival = std::max(gate_arrival, end[rows_[edge.from] - 1] + out);
        continue;
      }
      const std::int32_t* need = needs_.data() + edge.needs;
      for (std::size_t r = 0; r < rows; ++r) arrival[r] = std::max(arrival[r], end[need[r]] + out);
    }
    times.gate_arrival[k] = gate_arrival;
    const Speed& speed = speeds[k];
    const Int gate = gate_arrival < 0 ? 0 : gate_arrival + speed.gate;
    Int* end = times.end.data() + offset_[k];
    const auto lanes = std::min(static_cast<std::size_t>(speed.lanes), rows);
    for (std::size_t r = 0; r < lanes; ++r) end[r] = std::max(arrival[r], gate) + speed.in + speed.row;
    for (std::size_t r = lanes; r < rows; ++r)
      end[r] = std::max(std::max(arrival[r], gate) + speed.in, end[r - lanes]) + speed.row;
    schedule = std::max(schedule, end[rows - 1] + speed.out);
  }
  return schedule;
}

void SegmentGraph::tails(std::span<const Speed> speeds, SegmentTimes& times) const {
  if (stream_) return stream_tails(speeds, times);
  times.leave.assign(offset_.back(), -1);  // -1: no operator waits for this or a later row
  std::vector<Int> start;                  // longest time from the start of a row to the end of the segment
  for (std::size_t k = size(); k-- > 0;) {
    const Speed& speed = speeds[k];
    const std::size_t rows = rows_[k];
    Int* leave = times.leave.data() + offset_[k];
    leave[rows - 1] = std::max<Int>(leave[rows - 1], 0);
    for (std::size_t r = rows - 1; r-- > 0;) leave[r] = std::max(leave[r], leave[r + 1]);
    start.resize(rows);
    const auto lanes = static_cast<std::size_t>(speed.lanes);
    for (std::size_t r = rows; r-- > 0;) {
      start[r] = leave[r] + speed.out + speed.row;
      if (r + lanes < rows) start[r] = std::max(start[r], start[r + lanes] + speed.row);
    }
    for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1]; ++e) {
      const Edge& edge = edges_[e];
      Int* before = times.leave.data() + offset_[edge.from];
      if (edge.gated) {
        Int& last = before[rows_[edge.from] - 1];
        last = std::max(last, start[0] + speed.in + speed.gate);
        continue;
      }
      const std::int32_t* need = needs_.data() + edge.needs;
      for (std::size_t r = 0; r < rows; ++r) before[need[r]] = std::max(before[need[r]], start[r] + speed.in);
    }
  }
}

Int SegmentGraph::with(std::size_t op, const Speed& speed, const SegmentTimes& times,
                       std::vector<Int>& scratch) const {
  if (stream_) return stream_with(op, speed, times, scratch);
  const std::size_t rows = rows_[op];
  const Int* arrival = times.arrival.data() + offset_[op];
  const Int* leave = times.leave.data() + offset_[op];
  const Int gate = times.gate_arrival[op] < 0 ? 0 : times.gate_arrival[op] + speed.gate;
  scratch.resize(rows);
  Int schedule = 0;
  const auto lanes = static_cast<std::size_t>(speed.lanes);
  for (std::size_t r = 0; r < rows; ++r) {
    const Int ready = std::max(arrival[r], gate) + speed.in;
    scratch[r] = std::max(ready, r >= lanes ? scratch[r - lanes] : 0) + speed.row;
    schedule = std::max(schedule, scratch[r] + leave[r]);
  }
  return schedule + speed.out;
}

SegmentPath SegmentGraph::longest_path(std::span<const Speed> speeds, const SegmentTimes& times) const {
  if (stream_) return stream_path(speeds, times);
  SegmentPath path;
  path.rows.assign(size(), 0);
  path.gated.assign(size(), 0);
  std::size_t k = 0;
  Int longest = -1;
  for (std::size_t i = 0; i < size(); ++i) {
    const Int end = times.end[offset_[i + 1] - 1] + speeds[i].out;
    if (end > longest) {
      longest = end;
      k = i;
    }
  }
  for (std::size_t exit = rows_[k] - 1;;) {
    const Speed& speed = speeds[k];
    const Int* end = times.end.data() + offset_[k];
    const Int* arrival = times.arrival.data() + offset_[k];
    const auto lanes = static_cast<std::size_t>(speed.lanes);
    std::size_t row = exit;
    while (row >= lanes && end[row - lanes] + speed.row == end[row]) row -= lanes;
    const Int gate = times.gate_arrival[k] < 0 ? 0 : times.gate_arrival[k] + speed.gate;
    const bool by_gate = times.gate_arrival[k] >= 0 && gate >= arrival[row];
    path.gated[k] = static_cast<std::uint8_t>(by_gate);
    const Int waited = by_gate ? times.gate_arrival[k] : arrival[row];
    // Earlier rows that wait for the same arrival also belong to the path.
    std::size_t entry = by_gate ? 0 : row;
    while (entry > 0 && arrival[entry - 1] == waited) --entry;
    path.rows[k] = static_cast<std::int32_t>(exit - entry + 1);
    // The path continues through a gate inside the segment even if its wait is zero.
    if (waited == 0 && (!by_gate || gated_outside_[k] != 0)) return path;
    bool found = false;
    for (std::size_t e = edge_begin_[k]; e < edge_begin_[k + 1] && !found; ++e) {
      const Edge& edge = edges_[e];
      if (edge.gated != by_gate) continue;
      const std::size_t last = rows_[edge.from] - 1;
      const std::size_t need = edge.gated ? last : static_cast<std::size_t>(needs_[edge.needs + entry]);
      if (times.end[offset_[edge.from] + need] + speeds[edge.from].out != waited) continue;
      k = edge.from;
      exit = need;
      found = true;
    }
    if (!found) return path;
  }
}

}  // namespace nestor::chip
