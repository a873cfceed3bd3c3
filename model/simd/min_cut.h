// Maximum flow (Dinic) on small integer capacities and the minimum cut it proves. Written for cutting orders:
// graphs are built anew for every cut, so storage is reused and nothing is freed between runs.
#pragma once

#include <cstdint>
#include <vector>

#include "model/simd/stop.h"

namespace nestor::simd {

class MinCut {
 public:
  static constexpr std::uint32_t source = 0;
  static constexpr std::uint32_t sink = 1;
  static constexpr std::int32_t endless = 1 << 28;

  /// Starts a new graph: source and sink only.
  void clear();
  std::uint32_t add_node();
  void add_edge(std::uint32_t from, std::uint32_t to, std::int32_t capacity);

  /// The maximum flow, or `limit` + 1 as soon as it is known to be larger than `limit`. If `enough` says so
  /// on the way it gives up: the flow so far is no more than any cut, but proves none to be the least.
  std::int32_t run(std::int32_t limit, const Stop& enough = {});
  bool gave_up() const { return gave_up_; }
  /// After run(): does the smallest (largest) source side of a minimum cut hold the node?
  void mark_source_side(bool largest);
  bool on_source_side(std::uint32_t node) const { return marked_[node] != 0; }

  std::uint64_t work() const { return work_; }

 private:
  struct Edge {
    std::uint32_t to;
    std::int32_t left;  ///< residual capacity; the reverse edge is at index ^ 1
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
