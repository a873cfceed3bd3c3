// Maximum flow (Dinic) on small integer capacities, and the minimum cut that proves its maximality. The graph
// is rebuilt for every cut (alive_bound.h), so storage is reused and never freed between runs.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/stop.h"

namespace nestor::simd {

class MinCut {
 public:
  static constexpr std::uint32_t source = 0;
  static constexpr std::uint32_t sink = 1;
  static constexpr std::int32_t infinite = 1 << 28;

  /// Starts a new graph with only source and sink.
  void clear();
  std::uint32_t add_node();
  void add_edge(std::uint32_t from, std::uint32_t to, std::int32_t capacity);

  /// Returns the maximum flow, or `limit` + 1 as soon as it is known to exceed `limit`. If `enough` returns
  /// true, the run gives up: the flow so far is a lower bound on every cut, but is not proved to be maximal.
  std::int32_t run(std::int32_t limit, const Stop& enough = {});
  bool gave_up() const { return gave_up_; }
  /// Marks the source side of a minimum cut after run(): the largest such side if `largest`, otherwise the
  /// smallest.
  void mark_source_side(bool largest);
  bool on_source_side(std::uint32_t node) const { return marked_[node] != 0; }

  std::uint64_t work() const { return work_; }

 private:
  struct Edge {
    std::uint32_t to;
    std::int32_t left;  ///< residual capacity; the reverse edge has index ^ 1
  };
  void index();
  bool level_nodes();
  std::int32_t augment(const Stop& enough);

  std::uint32_t nodes_ = 2;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> from_;
  std::vector<std::uint32_t> begin_, incident_, cursor_, level_, queue_, path_;
  std::vector<std::uint8_t> marked_;
  std::uint64_t work_ = 0, steps_ = 0;
  bool gave_up_ = false;
};

}  // namespace nestor::simd
