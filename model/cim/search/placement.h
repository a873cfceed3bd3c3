// Placement of temporal loops from the innermost outward, below one spatial choice. It is common to all
// outward searches, for any latency model. A label contains, per dimension, the factors already inside; per
// operand, the memory whose block is being filled; the additive cost so far; and per shared memory, the bits
// of the blocks that operands have left (departed bits). When a loop is placed, the operands to which this
// loop is relevant may jump to an outer memory; this is the transfer in the loop's slot. Canonical form
// allows a jump only below a relevant loop, so the search reaches every canonical mapping.
#pragma once

#include "base/bounded_list.h"
#include "base/function_ref.h"
#include "model/cim/search/branch_frame.h"
#include "model/loopnest/search/nest_step.h"

namespace nestor::cim {

struct PlacementLabel {
  std::array<LatticeNode, dim_count> node{};        ///< factors placed inside, per dimension
  std::array<std::uint8_t, operand_count> at{};     ///< chain position of the block being filled
  std::array<bool, operand_count> doubled{};        ///< true if the last jump left a double-buffered memory
  bool entered_complete = false;                    ///< true if O entered its block with all reduction loops
                                                    ///< inside
  bool mirrored = false;                            ///< true if (P, R) and (Q, S) were exchanged in this step
  std::uint8_t placed = 0;                          ///< factors inside, over all dimensions
  Cost additive = 0;                                ///< energy so far, or negative weighted sizes for eq14
  Int rest = 1;                                     ///< iterations of all remaining loops
  std::array<Int, max_shared_memories> departed{};  ///< bits of blocks that operands have left, per slot of a
                                                    ///< shared memory
};

/// Move of one operand in a slot: it stays or jumps outward.
struct Move {
  std::uint8_t to = 0;
  bool jump = false;
  bool doubled = false;
  Int cycles = 0;  ///< T
  Int moved = 0;   ///< T'; the latency model sets `moved` and `contender` (c_x)
  Int contender = 0;
  Int departing = 0;  ///< bits of the block that the operand leaves, doubled if double-buffered
  Cost additive = 0;
};
using Moves = BoundedList<Move>;
using MovePerOperand = std::array<const Move*, operand_count>;

/// A move in the slot of a given loop, with the bounds that the operand's table contains for the content
/// including this loop.
struct Offer {
  const Move* move = nullptr;
  Cost additive = 0;  ///< cost of the move plus a lower bound on that of all later moves
  Int transfers = 0;
  Int stream = 0;
};
using Offers = BoundedList<Offer>;
using OfferPerOperand = std::array<const Offer*, operand_count>;

/// Working lists of an expansion: the moves of each operand, and their offers for the current loop.
struct StepLists {
  std::array<Moves, operand_count> moves;
  std::array<Offers, operand_count> offers;
};

/// Lists with space for the longest chains. They require a large stack.
class StepListsOnStack : public StepLists {
 public:
  StepListsOnStack() {
    for (std::size_t x = 0; x < operand_count; ++x) {
      moves[x] = Moves(reinterpret_cast<Move*>(move_bytes_ + x * most * sizeof(Move)), most);
      offers[x] = Offers(reinterpret_cast<Offer*>(offer_bytes_ + x * most * sizeof(Offer)), most);
    }
  }
  StepListsOnStack(const StepListsOnStack&) = delete;
  StepListsOnStack& operator=(const StepListsOnStack&) = delete;

 private:
  static constexpr std::size_t most = 2 * max_memories;
  alignas(Move) std::byte move_bytes_[operand_count * most * sizeof(Move)];
  alignas(Offer) std::byte offer_bytes_[operand_count * most * sizeof(Offer)];
};

/// The loop to place: the lattice's sub-multiset `factors` of `dim`, with `n` iterations.
struct LoopStep {
  std::size_t dim = 0;
  LatticeNode factors = 0;
  Int n = 1;
};

/// Bounds from the tables on the remaining transfers of each operand.
struct RemainingTransfers {
  std::array<Int, operand_count> transfers{};  ///< least sum of the T of all remaining transfers
  std::array<Int, operand_count> stream{};     ///< least value of the largest stream
};

class Placement : protected BranchFrame {
 public:
  using BranchFrame::Problem;
  using BranchFrame::Solution;
  using Builder = OutwardTables;
  using Tables = OperandTables;
  using Lists = StepLists;

  /// Replaces the tables by equal tables at another address. The search reads them; solution() does not.
  void use_tables(const Tables& tables) { tables_ = tables; }
  int max_depth() const { return factors_; }
  int depth(const PlacementLabel& label) const { return label.placed; }
  std::uint64_t key(const PlacementLabel& label) const {
    return key_of(label.node, label.at, label.entered_complete);
  }

  /// Returns the mapping of a complete label, found by following its parents; see LabelSearch::walk_back.
  template <typename Search>
  Mapping solution(const Search& search) const {
    Mapping mapping;
    solution(search, mapping);
    return mapping;
  }
  /// Writes the mapping in place, since a mapping is too large for a small stack.
  template <typename Search>
  void solution(const Search& search, Mapping& mapping) const {
    describe([&](StepVisit visit) { search.walk_back(visit); }, mapping);
  }
  /// Allocates the lists of an expansion. Returns false if the arena is too small.
  bool allocate_lists(Arena& arena, StepLists& lists) const;
  /// Returns the most bytes that allocate_lists() allocates for chains of these total lengths.
  static std::size_t bytes_of_lists(std::size_t chain_lengths) {
    return 2 * chain_lengths * (sizeof(Move) + sizeof(Offer)) + alignof(Move);
  }
  /// Returns the step from a label to its child, for KeptLabels (model/loopnest/space/nest_run.h). See
  /// NamesSteps (model/loopnest/search/nest_branch.h) for `mirrored`.
  std::uint64_t kept_step(const PlacementLabel& parent, const PlacementLabel& child, bool& mirrored) const;
  /// Required by ChecksLabels (solver/engine/label_state.h).
  bool is_step(const PlacementLabel& parent, const PlacementLabel& child) const;

 protected:
  // Data of a label for its expansion.
  struct Context {
    const PlacementLabel* label = nullptr;
    std::array<TableIndex, operand_count> index{};
    std::array<Int, dim_count> remaining{};
    bool complete = false;  // true if all reduction loops are inside
    Int distinct_outputs = 1;
    /// Returns the number of iterations of the remaining loops in which partial sums of O return.
    Int returns() const { return label->rest - distinct_outputs; }
  };
  // One of the outermost loops that the constraints fix. fixed_factors_ combines the factors of all fixed
  // loops per dimension.
  struct FixedLoop {
    std::size_t dim = 0;
    LatticeNode factors = 0;
  };

  BranchSetup prepare_placement(const CimProblem& problem, const Lattices& lattices,
                                const SpatialChoice& choice, const Tables& tables, Arena& arena);
  // Returns the dimension and factor of the loop between a label and its child, before the child is mirrored.
  Loop loop_between(const PlacementLabel& parent, const PlacementLabel& child) const;
  void start(PlacementLabel& label) const;
  bool is_reachable(const PlacementLabel& label) const;
  Context context(const PlacementLabel& label) const;
  // Returns the units of work (slice.h) to charge for each step, for listing the moves of the expansion and
  // the offers of the step.
  std::uint32_t units_of_moves() const;
  // Lists all moves of all operands. `buffers` is true if double buffers may help.
  void list_moves(const Context& context, bool buffers, StepLists& lists) const;
  bool offer_of(const Move& move, std::size_t x, TableIndex index, Offer& offer) const {
    const OperandTable::Entry& entry = tables_[x]->entry(index, move.to);
    if (entry.transfers >= unreachable) return false;
    offer = {.move = &move,
             .additive = move.additive + entry.additive,
             .transfers = entry.transfers,
             .stream = entry.stream};
    return true;
  }
  // Applies a step and its moves. The child is mirrored last (mirror_if_less).
  void place(PlacementLabel& child, const LoopStep& step, const MovePerOperand& moves, bool complete) const;
  void mirror_if_less(PlacementLabel& child) const {
    child.mirrored = symmetric_ && mirror(child.node) < child.node;
    if (child.mirrored) child.node = mirror(child.node);
  }
  void forget_closed_memories(PlacementLabel& child) const;
  bool can_jump(const PlacementLabel& label, Operand operand) const;
  bool may_leave(const Context& context, Operand operand) const;
  bool fits(const PlacementLabel& label, const std::array<TableIndex, operand_count>& index) const;
  bool departed_no_more(const PlacementLabel& a, const PlacementLabel& b) const {
    for (std::size_t s = 0; s < shared_.size(); ++s)
      if (a.departed[s] > b.departed[s]) return false;
    return true;
  }
  // End of a mapping: the cycles of the fill or drain of each operand that is not at home when all loops are
  // placed, and the additive cost of the whole mapping.
  struct Ending {
    bool possible = true;
    std::array<Int, operand_count> cycles{};
    Cost additive = 0;
  };
  Ending ending(const PlacementLabel& label, const std::array<TableIndex, operand_count>& index) const;
  const FixedLoop* next_fixed(const PlacementLabel& label) const;
  bool has_fixed_loops() const { return !fixed_loops_.empty(); }
  // True if a loop of these factors may be next, considering the factors that are inside or fixed outside.
  bool may_place(const PlacementLabel& label, std::size_t dim, LatticeNode factors) const {
    const FactorLattice& lattice = lattices_[dim];
    const LatticeNode node = label.node[dim];
    const LatticeNode fixed = fixed_factors_[dim];
    return lattice.fits_beside(node, factors) &&
           (fixed == 0 || lattice.fits_beside(static_cast<LatticeNode>(node + factors), fixed));
  }

  bool needs_additive() const { return !latency_only && needs_additive_; }

  bool needs_additive_ = false;

 private:
  // Function that is called with a parent and its child.
  using StepVisit = FunctionRef<void(const PlacementLabel&, const PlacementLabel&)>;

  void describe(FunctionRef<void(StepVisit)> walk_back, Mapping& mapping) const;
  struct Block {  // a block that an operand may leave
    Int size = 0;
    Int space = 0;
  };
  void add_jump(const Context& context, Operand operand, const Block& block, std::size_t to, bool buffers,
                Moves& moves) const;
  Int room(const Context& context, Operand operand) const;
  Int stored_bits(const PlacementLabel& label, Operand operand, TableIndex index) const;
  bool find_fixed_loops();

  FixedVector<FixedLoop, max_loops> fixed_loops_;  // outermost first
  std::array<LatticeNode, dim_count> fixed_factors_{};
};

inline Loop Placement::loop_between(const PlacementLabel& parent, const PlacementLabel& child) const {
  const auto node = child.mirrored ? mirror(child.node) : child.node;
  std::size_t d = 0;
  while (parent.node[d] == node[d]) ++d;
  const Int factor = lattices_[d].value(node[d]) / lattices_[d].value(parent.node[d]);
  return {.dim = static_cast<Dim>(d), .factor = factor};
}

inline bool Placement::is_step(const PlacementLabel& parent, const PlacementLabel& child) const {
  if (!are_on_chains(child.at) || (child.mirrored && !symmetric_)) return false;
  const int factors = factors_between(parent.node, child.mirrored ? mirror(child.node) : child.node);
  return factors > 0 && child.placed == parent.placed + factors && child.rest > 0 &&
         parent.rest == child.rest * loop_between(parent, child).factor;
}

inline std::uint64_t Placement::kept_step(const PlacementLabel& parent, const PlacementLabel& child,
                                          bool& mirrored) const {
  const Loop loop = loop_between(parent, child);
  NestStep step{.dim = static_cast<std::uint8_t>(mirrored ? mirror(loop.dim) : loop.dim),
                .factor = loop.factor,
                .at = child.at};
  for (std::size_t x = 0; x < operand_count; ++x) {
    step.moved[x] = child.at[x] != parent.at[x];
    step.doubled[x] = step.moved[x] && child.doubled[x];
  }
  mirrored ^= child.mirrored;
  return pack(step);
}

}  // namespace nestor::cim
