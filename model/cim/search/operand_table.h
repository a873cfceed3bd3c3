// What one operand, taken alone, still has to pay: for every content extent and every memory of its chain,
// lower bounds on the remaining additive cost, the heaviest remaining transfer stream and the sum of
// remaining single transfers; beside them the tile sizes and transfer times that the search needs again and
// again.
//
// Why the bounds are safe: the cost of a transfer depends only on the content at its jump (model-cim,
// sections 5 and 7), so a mapping's additive cost is a sum over the operands' jumps. The table lets each
// operand choose its own best jumps and pretends that loops irrelevant to it lie inside (they multiply
// `times` and open reductions) and that other operands take no shared capacity: every completion of the joint
// problem is a choice in this relaxation too, at no more than its true cost.
#pragma once

#include "model/cim/search/problem.h"
#include "model/loopnest/search/operand_setup.h"

namespace nestor::cim {

inline constexpr Int unreachable = Int{1} << 61;

/// The setup of an operand under a spatial choice.
inline OperandSetup make_setup(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                               Operand operand) {
  return nestor::make_setup(problem, problem.machine, lattices, choice, operand, problem.follows_additive());
}

/// An index into a table: the operand's relevant lattice nodes in mixed radix.
using TableIndex = std::uint32_t;

class OperandTable {
 public:
  struct Entry {
    Int elements = 0;     ///< of the content under the axes below this memory
    Int cycles = 0;       ///< T if this memory is the source; O: of finished sums
    Int open_cycles = 0;  ///< O: T of partial sums
    double additive = 0;  ///< least additive cost still to come
    Int transfers = 0;    ///< least sum of one T per remaining boundary, fill and drain included
    Int stream = 0;       ///< least heaviest stream still to come, see fill_bounds
  };

  /// Arena bytes that build needs.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// False if the arena is too small. Without `bounds` an entry has no more than elements and cycles.
  bool build(const Problem& problem, const OperandSetup& setup, Arena& arena, bool bounds = true);

  Operand operand() const { return setup_.operand; }
  /// Contents, all sub-multisets of the relevant factors.
  std::size_t count() const { return count_; }
  const FactorLattice& lattice(std::size_t dim) const { return lattices_[dim]; }
  std::size_t chain_length() const { return setup_.chain.size(); }
  std::uint8_t innermost() const { return static_cast<std::uint8_t>(setup_.chain.size() - 1); }
  std::size_t memory(std::size_t position) const { return setup_.chain[position]; }
  TableIndex stride(std::size_t dim) const { return strides_[dim]; }
  TableIndex index(const std::array<LatticeNode, dim_count>& node) const {
    TableIndex index = 0;
    for (std::size_t d = 0; d < dim_count; ++d) index += node[d] * strides_[d];
    return index;
  }
  const Entry& entry(TableIndex index, std::size_t position) const {
    return entries_[index * setup_.chain.size() + position];
  }
  bool reduced_above(std::size_t position) const { return setup_.reduced_above[position]; }
  /// Whether a block may move from one chain position straight to another (must-use constraints).
  bool may_jump(std::size_t from, std::size_t to) const { return ((jump_targets_[from] >> to) & 1U) != 0; }
  /// Whether the operand may end with its outermost block here: no memory that it must use lies further out.
  bool may_end(std::size_t position) const { return position == 0 || may_jump(position, 0); }

  /// Whether a content fits a memory at the narrowest width it can have there, alone and single-buffered.
  bool fits(const Problem& problem, TableIndex index, std::size_t position) const;
  /// Additive cost of moving the content `index` between two memories: `outward` times towards the source and
  /// `inward` times from it, O at `width` bits an element.
  double transfer_cost(TableIndex index, std::size_t from, std::size_t source, Int outward, Int inward,
                       Int width) const;
  /// Additive cost (eq14: the negative weighted size) of having used a memory with this content.
  double residence_cost(std::size_t position, Int size_bits) const {
    return residence_weight_[position] * static_cast<double>(size_bits);
  }
  /// Bits of an element as stored at a chain position when O's reductions are (not) all inside.
  Int stored_width(std::size_t position, bool complete) const;
  /// Bits of an element in a transfer.
  Int moved_width(bool complete) const { return complete ? final_width_ : open_width_; }

 private:
  void fill_sizes(const Problem& problem);
  void fill_bounds(const Problem& problem);
  void leave_out(const Techniques& techniques, Entry& entry) const;
  double relaxed_jump_cost(TableIndex index, std::size_t from, std::size_t to, Int remaining) const;

  OperandSetup setup_;
  std::array<FactorLattice, dim_count> lattices_;
  std::array<TableIndex, dim_count> strides_{};
  std::size_t count_ = 1;
  Entry* entries_ = nullptr;
  std::array<std::uint32_t, max_memories> jump_targets_{};
  Int final_width_ = 8;
  Int open_width_ = 8;
  bool energy_ = true;
  std::array<double, max_memories> read_cost_{};  ///< pJ per bit over all lanes above
  std::array<double, max_memories> write_cost_{};
  std::array<double, max_memories> residence_weight_{};
};

/// Makes the tables of searches from the inside out (TableBuilder).
struct OutwardTables {
  using Problem = cim::Problem;
  using Tables = OperandTable;

  template <typename Memory>
  static bool build(const Problem& problem, const OperandSetup& setup, Tables& tables, Memory& memory) {
    auto arena = memory.keep(OperandTable::bytes_needed(setup));
    return arena && tables.build(problem, setup, *arena);
  }
};

}  // namespace nestor::cim
