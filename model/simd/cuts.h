// Cuts of up to three leaves: the sets of nodes that determine a node, with the node's truth table over them.
// What technology mapping chooses from.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/simd/function_table.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

struct Cut {
  std::array<NodeIndex, 3> leaves{};  ///< ascending, the first leaf_count of them
  std::uint8_t leaf_count = 0;
  Table3 table = 0;        ///< of the node; depends on every leaf
  std::uint8_t gates = 0;  ///< what its function costs
  float flow = 0;          ///< estimate of all gates below it, shared ones split among their readers
};

/// The best few cuts of every node. A gate's list starts with its best by flow and holds no cut of itself
/// alone.
class CutTable {
 public:
  static constexpr std::size_t most_cuts = 7;

  /// `readers` is how many read each node, at least estimated.
  CutTable(const Netlist& netlist, std::span<const std::uint32_t> readers);

  std::span<const Cut> of(NodeIndex node) const {
    return std::span(cuts_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  void add_gate(const Netlist& netlist, NodeIndex node);
  void consider(const Gate& gate, std::span<const Cut* const, 3> fanin_cuts);
  void insert(const Cut& cut);

  std::span<const std::uint32_t> readers_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> begin_;
  std::vector<float> flow_;  ///< of each node's best cut, per reader
  std::vector<Cut> best_;    ///< of the node at hand
};

}  // namespace nestor::simd
