#include "model/simd/min_cut.h"

#include <algorithm>

namespace nestor::simd {

namespace {
constexpr std::uint32_t unreached = ~std::uint32_t{0};
}

void MinCut::clear() {
  nodes_ = 2;
  edges_.clear();
  from_.clear();
}

std::uint32_t MinCut::add_node() { return nodes_++; }

void MinCut::add_edge(std::uint32_t from, std::uint32_t to, std::int32_t capacity) {
  edges_.push_back({to, capacity});
  from_.push_back(from);
  edges_.push_back({from, 0});
  from_.push_back(to);
}

/// Stores the incident edges of each node contiguously.
void MinCut::index() {
  begin_.assign(nodes_ + 1, 0);
  for (const std::uint32_t node : from_) ++begin_[node + 1];
  for (std::uint32_t node = 0; node < nodes_; ++node) begin_[node + 1] += begin_[node];
  incident_.resize(from_.size());
  cursor_.assign(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t edge = 0; edge < from_.size(); ++edge) incident_[cursor_[from_[edge]]++] = edge;
}

bool MinCut::level_nodes() {
  level_.assign(nodes_, unreached);
  queue_.assign(1, source);
  level_[source] = 0;
  for (std::size_t i = 0; i < queue_.size() && level_[sink] == unreached; ++i) {
    const std::uint32_t node = queue_[i];
    for (std::uint32_t k = begin_[node]; k < begin_[node + 1]; ++k) {
      const Edge& edge = edges_[incident_[k]];
      if (edge.left <= 0 || level_[edge.to] != unreached) continue;
      level_[edge.to] = level_[node] + 1;
      queue_.push_back(edge.to);
    }
  }
  work_ += queue_.size();
  return level_[sink] != unreached;
}

/// Augments the flow along one path from source to sink with increasing levels. Returns the added flow, or 0
/// if no such path remains or the run gives up.
std::int32_t MinCut::augment(const Stop& enough) {
  constexpr std::uint64_t stretch = 1 << 14;  // steps between two stop checks
  path_.clear();
  std::uint32_t node = source;
  while (node != sink) {
    if (++steps_ % stretch == 0 && should_stop(enough)) {
      gave_up_ = true;
      return 0;
    }
    bool advanced = false;
    for (; cursor_[node] < begin_[node + 1]; ++cursor_[node]) {
      const std::uint32_t index = incident_[cursor_[node]];
      const Edge& edge = edges_[index];
      if (edge.left <= 0 || level_[edge.to] != level_[node] + 1) continue;
      path_.push_back(index);
      node = edge.to;
      advanced = true;
      break;
    }
    if (advanced) continue;
    if (node == source) return 0;
    level_[node] = unreached;  // a dead end in this phase
    node = from_[path_.back()];
    path_.pop_back();
  }
  std::int32_t amount = infinite;
  for (const std::uint32_t index : path_) amount = std::min(amount, edges_[index].left);
  for (const std::uint32_t index : path_) {
    edges_[index].left -= amount;
    edges_[index ^ 1U].left += amount;
  }
  work_ += path_.size();
  return amount;
}

std::int32_t MinCut::run(std::int32_t limit, const Stop& enough) {
  index();
  gave_up_ = false;
  std::int32_t flow = 0;
  while (!gave_up_ && level_nodes()) {
    cursor_.assign(begin_.begin(), begin_.end() - 1);
    for (std::int32_t amount = augment(enough); amount > 0; amount = augment(enough)) {
      flow += amount;
      if (flow > limit) return limit + 1;
    }
  }
  return flow;
}

void MinCut::mark_source_side(bool largest) {
  marked_.assign(nodes_, largest ? 1 : 0);
  const std::uint32_t start = largest ? sink : source;
  queue_.assign(1, start);
  marked_[start] = largest ? 0 : 1;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t node = queue_[i];
    for (std::uint32_t k = begin_[node]; k < begin_[node + 1]; ++k) {
      const std::uint32_t index = incident_[k];
      const std::uint32_t other = edges_[index].to;
      // Follows edges with residual capacity forward from the source, or backward from the sink.
      const std::int32_t left = largest ? edges_[index ^ 1U].left : edges_[index].left;
      if (left <= 0 || (marked_[other] != 0) != largest) continue;
      marked_[other] = largest ? 0 : 1;
      queue_.push_back(other);
    }
  }
}

}  // namespace nestor::simd
