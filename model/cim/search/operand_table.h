// Remaining cost of one operand, taken alone, in the cim model: for every content extent and every memory
// of its chain, lower bounds on the remaining additive cost, the heaviest remaining transfer stream and the
// sum of remaining single transfers; beside them the tile sizes and transfer times that the search needs
// again and again. content_table.h says why the bounds are safe.
#pragma once

#include "model/cim/search/problem.h"
#include "model/loopnest/search/content_table.h"
#include "solver/search/slice.h"

namespace nestor::cim {

inline constexpr Int unreachable = Int{1} << 61;

/// The setup of an operand under a spatial choice.
inline OperandSetup make_setup(const CimProblem& problem, const Lattices& lattices,
                               const SpatialChoice& choice, Operand operand) {
  return nestor::make_setup(problem, problem.machine, lattices, choice, operand, problem.follows_additive());
}
inline void make_setup(const CimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                       Operand operand, OperandSetup& setup) {
  nestor::make_setup(problem, problem.machine, lattices, choice, operand, problem.follows_additive(), setup);
}

class OperandTable : public ContentTable {
 public:
  struct Entry {
    Int elements = 0;     ///< of the content under the axes below this memory
    Int cycles = 0;       ///< T (5.1) if this memory is the source; O: of finished sums
    Int open_cycles = 0;  ///< O: T of partial sums
    Cost additive = 0;    ///< least additive cost still to come
    Int transfers = 0;    ///< least sum of one T per remaining boundary, fill and drain included
    Int stream = 0;       ///< least heaviest stream still to come, see operand_table.cpp
  };

  /// Arena bytes that build needs.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// False if the arena is too small. Without `bounds` an entry has no more than elements and cycles.
  bool build(const CimProblem& problem, const OperandSetup& setup, Arena& arena, bool bounds = true);

  /// The same in slices. begin() takes the memory for the setup written in place; fill() is called until it
  /// is true, with a `progress` that begins anew.
  struct Progress {
    bool sized = false;  ///< elements and cycles are there, bounds are being filled in
    ContentPlace place;
  };
  bool begin(const CimProblem& problem, Arena& arena);
  bool fill(const CimProblem& problem, Progress& progress, Slice& slice);

  /// What the operand pays from the empty content on, at least, where memory is short: in room for one
  /// content instead of all. From a memory outward any content may jump that fits it, whatever was inside
  /// before; so the bounds are no higher than those of the table. begin_least() takes the memory for the
  /// setup written in place; find_least() is called until it is true.
  struct Least {
    std::size_t position = 1;  ///< of the chain; those further out are done
    ContentPlace place;
    Int accessed = 0;         ///< elements of a step in all instances of the innermost memory
    Int waits = unreachable;  ///< T * (r - 1) of the first jump, where it must be from a single buffer
  };
  bool begin_least(const CimProblem& problem, Arena& arena);
  bool find_least(const CimProblem& problem, Least& progress, Slice& slice);
  const Entry& least() const { return entries_[chain_length() + innermost()]; }

  const Entry& entry(TableIndex index, std::size_t position) const {
    return entries_[index * chain_length() + position];
  }
  /// Whether a content fits a memory at the narrowest width it can have there, alone and single-buffered.
  bool fits(TableIndex index, std::size_t position) const {
    return entry(index, position).elements <= most_elements_[position];
  }
  /// Additive cost of moving the content `index` between two memories: `outward` times towards the source and
  /// `inward` times from it, O at `width` bits an element.
  Cost transfer_cost(TableIndex index, std::size_t from, std::size_t source, Int outward, Int inward,
                     Int width) const;
  /// Additive cost (eq14: the negative weighted size) of having used a memory with this content.
  Cost residence_cost(std::size_t position, Int size_bits) const {
    return residence_weight_[position] * static_cast<Cost>(size_bits);
  }
  /// Bits of an element as stored at a chain position when O's reductions are (not) all inside
  /// (docs/models/cim.md (4.2)), and in a transfer (5.2).
  Int stored_width(std::size_t position, bool complete) const {
    const bool open = position == innermost() || reduced_above(position) || !complete;
    return open ? open_width_ : final_width_;
  }
  Int moved_width(bool complete) const { return complete ? final_width_ : open_width_; }

 private:
  class OutwardBounds;

  void prepare(const CimProblem& problem);
  bool allocate(std::size_t contents, Arena& arena);
  void size_content(const CimProblem& problem, const std::array<LatticeNode, dim_count>& node,
                    std::size_t positions, Entry* row) const;
  template <typename AnySlice>
  bool fill_sizes(const CimProblem& problem, ContentPlace& place, AnySlice& slice);
  Cost relaxed_jump_cost(TableIndex index, std::size_t from, std::size_t to, Int remaining) const;

  Entry* entries_ = nullptr;
  Int final_width_ = 8;
  Int open_width_ = 8;
  bool energy_ = true;
  bool priced_ = true;                          // the search follows the additive cost
  std::array<Cost, max_memories> read_cost_{};  ///< pJ per bit over all lanes above
  std::array<Cost, max_memories> write_cost_{};
  std::array<Cost, max_memories> residence_weight_{};
  std::array<Int, max_memories> most_elements_{};  ///< of a content that a memory holds
};

/// Makes the tables of searches from the inside out (TableBuilder).
struct OutwardTables {
  using Problem = cim::CimProblem;
  using Tables = OperandTable;

  template <typename Memory>
  static bool build(const CimProblem& problem, const OperandSetup& setup, Tables& tables, Memory& memory) {
    auto arena = memory.keep(OperandTable::bytes_needed(setup));
    return arena && tables.build(problem, setup, *arena);
  }
};

}  // namespace nestor::cim
