// Remaining cost of one operand alone in the cim model. For every content and every memory of the operand's
// chain, the table contains three lower bounds: on the remaining additive cost, on the largest remaining
// stream (the repetitions of one transfer, in sequence), and on the sum of remaining single transfers. It
// also contains the tile sizes and transfer times that the search often needs. content_table.h explains why
// the bounds are safe.
#pragma once

#include "model/cim/search/problem.h"
#include "model/loopnest/search/content_table.h"
#include "solver/search/slice.h"

namespace nestor::cim {

inline constexpr Int unreachable = Int{1} << 61;

/// Returns the setup of an operand under a spatial choice.
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
    Int elements = 0;     ///< elements of the content together with the axes below this memory
    Int cycles = 0;       ///< T of eq. (5.1) if this memory is the source; O: for final sums
    Int open_cycles = 0;  ///< O: T for partial sums
    Cost additive = 0;    ///< least remaining additive cost
    Int transfers = 0;    ///< least sum of the T of all remaining transfers, fill and drain included
    Int stream = 0;       ///< least value of the largest remaining stream; see operand_table.cpp
  };

  /// Returns the arena bytes that build() needs.
  static std::size_t bytes_needed(const OperandSetup& setup);
  /// Returns false if the arena is too small. Without `bounds`, entries contain only elements and cycles.
  bool build(const CimProblem& problem, const OperandSetup& setup, Arena& arena, bool bounds = true);

  /// Builds the table in slices. begin() allocates memory for a setup that was written in place. fill() is
  /// called until it returns true, at first with a default `progress`.
  struct Progress {
    bool sized = false;  ///< elements and cycles are complete, bounds are in progress
    ContentPlace place;
  };
  bool begin(const CimProblem& problem, Arena& arena);
  bool fill(const CimProblem& problem, Progress& progress, Slice& slice);

  /// Computes lower bounds on the cost of the operand from the empty content on, with memory for one content
  /// instead of all. Every content that fits a memory may jump outward from it, regardless of the previous
  /// content. The bounds are therefore no higher than those of the table. begin_least() allocates memory for
  /// a setup that was written in place. find_least() is called until it returns true.
  struct Least {
    std::size_t position = 1;  ///< position in the chain; all positions further out are done
    ContentPlace place;
    Int accessed = 0;         ///< elements that a step accesses in all instances of the innermost memory
    Int waits = unreachable;  ///< least T * (r - 1) of a single-buffered first jump; 0 if none is needed
  };
  bool begin_least(const CimProblem& problem, Arena& arena);
  bool find_least(const CimProblem& problem, Least& progress, Slice& slice);
  const Entry& least() const { return entries_[chain_length() + innermost()]; }

  const Entry& entry(TableIndex index, std::size_t position) const {
    return entries_[index * chain_length() + position];
  }
  /// True if a content fits a memory at the least width that it can have there, alone and single-buffered.
  bool fits(TableIndex index, std::size_t position) const {
    return entry(index, position).elements <= most_elements_[position];
  }
  /// Returns the additive cost of moving the content `index` between chain position `from` and the outer
  /// position `source`: `outward` times to `source` and `inward` times from it. An element has `width` bits.
  Cost transfer_cost(TableIndex index, std::size_t from, std::size_t source, Int outward, Int inward,
                     Int width) const;
  /// Returns the additive cost of storing a content of this size: the negative weighted size for eq14, 0 for
  /// energy.
  Cost residence_cost(std::size_t position, Int size_bits) const {
    return residence_weight_[position] * static_cast<Cost>(size_bits);
  }
  /// Returns the bits of a stored element at a chain position. `complete` is true if all of O's reductions
  /// are inside (docs/models/cim.md, eq. (4.2)). moved_width() returns the bits of a transferred element, eq.
  /// (5.2).
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
  bool priced_ = true;                          // true if the search tracks the additive cost
  std::array<Cost, max_memories> read_cost_{};  ///< pJ per bit over all lanes above
  std::array<Cost, max_memories> write_cost_{};
  std::array<Cost, max_memories> residence_weight_{};
  std::array<Int, max_memories> most_elements_{};  ///< elements of the largest content that fits the memory
};

/// Builder of the tables of outward searches (TableBuilder).
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
