// Base class of the branches of the cim space, for both directions of placing the temporal loops. It stores
// the lattices of the remaining factors, the operands' tables, the memories that operands share, and the cost
// that all completions have in common.
#pragma once

#include <limits>

#include "model/cim/search/operand_table.h"
#include "model/loopnest/search/branch_setup.h"
#include "model/loopnest/search/choice_frame.h"
#include "model/loopnest/search/shared_memories.h"

namespace nestor::cim {

class BranchFrame : protected ChoiceFrame {
 public:
  using Problem = cim::CimProblem;
  using Solution = Mapping;
  using OperandTables = std::array<const OperandTable*, operand_count>;

 protected:
  static constexpr Cost infinite = no_cost;
  static constexpr auto input = index_of(Operand::I);
  static constexpr auto weight = index_of(Operand::W);
  static constexpr auto output = index_of(Operand::O);

  BranchSetup prepare_frame(const CimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                            const OperandTables& tables, Arena& arena);
  // Returns a key of the nodes and chain positions of a label, plus one further bit.
  std::uint64_t key_of(const std::array<LatticeNode, dim_count>& node,
                       const std::array<std::uint8_t, operand_count>& at, bool bit) const {
    std::uint64_t key = key_of_nodes(node);
    for (const std::uint8_t position : at) key = key << 4U | position;
    return key << 1U | static_cast<std::uint64_t>(bit);
  }
  std::array<TableIndex, operand_count> table_indices(const std::array<LatticeNode, dim_count>& node) const {
    return {tables_[0]->index(node), tables_[1]->index(node), tables_[2]->index(node)};
  }

  bool are_on_chains(const std::array<std::uint8_t, operand_count>& at) const {
    return at[input] < chains_[input].size() && at[weight] < chains_[weight].size() &&
           at[output] < chains_[output].size();
  }

  const CimProblem* problem_ = nullptr;
  OperandTables tables_{};
  OperandChains chains_;
  FixedVector<SharedMemory, max_shared_memories> shared_;
  SharedSlots slot_{};
  bool symmetric_ = false;  // true if exchanging (P, R) with (Q, S) maps the branch to itself
  Cost base_additive_ = 0;

 private:
  // True if every label must sum the bits used in a memory: at least two operands may use the memory, which
  // is not their home, and it cannot store all of them completely and double-buffered.
  bool must_follow(const SharedMemory& shared) const;
  Int most_bits(std::size_t operand, std::size_t position) const;
  void set_base_cost();
};

}  // namespace nestor::cim
