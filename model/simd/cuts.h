// Cuts of up to three leaves: sets of nodes that determine the value of a node, with the truth table of this
// node over them. Technology mapping selects from them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/simd/function_table.h"
#include "model/simd/netlist.h"

namespace nestor::simd {

struct Cut {
  std::array<NodeIndex, 3> leaves{};  ///< ascending; the first leaf_count are valid
  std::uint8_t leaf_count = 0;
  Table3 table = 0;        ///< truth table of the node; depends on every leaf
  std::uint8_t gates = 0;  ///< least number of gates that compute `table`
  /// Estimated number of gates that compute the node by way of this cut; each shared gate is divided among
  /// its readers.
  float flow = 0;
};

/// The best cuts of every gate, at most `most_cuts` each. A gate's list starts with the cut of least flow and
/// does not contain the gate's trivial cut.
class CutTable {
 public:
  static constexpr std::size_t most_cuts = 7;

  /// `readers` is the (possibly estimated) number of readers of each node.
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
  std::vector<float> flow_;  ///< flow of each node's best cut, divided by its readers
  std::vector<Cut> best_;    ///< cuts of the current node
};

}  // namespace nestor::simd
