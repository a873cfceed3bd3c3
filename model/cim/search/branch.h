// One branch of the cim space: a spatial choice with everything below it. Temporal loops are placed from the
// innermost outward, as model-cim's own recursion runs. A label holds, per dimension, the factors already
// inside; per operand, the memory whose block is being filled; and the costs so far. Placing a loop may let
// the operands that it is relevant to jump to a memory further out: that is the transfer in the loop's slot
// (canonical form allows a jump only below a relevant loop, so this reaches every canonical mapping).
//
// Loop factors. Single factors of the set suffice for loops without a transfer (splitting one changes
// nothing) and for most with one: a longer loop is a single factor followed by transfer-free loops of the
// same dimension at equal cost, because after every loop M >= P, so that the next L is M. Two exceptions:
// - a factor 2 with a double-buffered I or W costs P more than 2 * 2 does (Table III, row "double": T * N
// exceeds
//   the other term only for N = 2), so 2 * 2 is offered as well;
// - in the miredo model P_O may exceed M after an O transfer (2T + P > L), and then splitting makes the next
// L
//   longer: every product of the remaining factors is offered.
#pragma once

#include "model/cim/search/branch_frame.h"
#include "model/loopnest/search/stairs.h"

namespace nestor::cim {

struct BranchLabel {
  std::array<LatticeNode, dim_count> node{};     ///< factors placed inside, per dimension
  std::array<std::uint8_t, operand_count> at{};  ///< chain position of the block being filled
  std::array<bool, operand_count> doubled{};     ///< the last jump left a double-buffered memory
  bool entered_complete = false;          ///< O: every reduction loop was inside when it entered its block
  bool mirrored = false;                  ///< (P, R) and (Q, S) were exchanged in this step
  std::uint8_t placed = 0;                ///< factors inside, over all dimensions
  double additive = 0;                    ///< energy, or eq14's negative sizes, so far
  Int critical = 0;                       ///< M
  std::array<Int, operand_count> busy{};  ///< P_x
  Int steady = 0;                         ///< stall model: sum of (N-1) * L, plus T_O of every slot
  std::array<Int, 2> first{};             ///< stall model: sums of T_I and T_W over the slots
  Int least_latency = 0;                  ///< lower bounds of the two parts, where dominance trades them
  double least_additive = 0;
  Int rest = 1;                                     ///< iterations of all loops still to be placed
  std::array<Int, max_shared_memories> departed{};  ///< bits left behind in shared memories, per slot
};

class Branch : private BranchFrame {
 public:
  using Label = BranchLabel;
  using BranchFrame::Problem;
  using BranchFrame::Solution;
  using Builder = OutwardTables;
  using Tables = OperandTables;

  /// `tables` are those of make_setup for this choice and must outlive the branch.
  BranchSetup prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                      const Tables& tables, Arena& arena);
  /// The same tables at another place; the search needs them, a mapping does not.
  void use_tables(const Tables& tables) { tables_ = tables; }

  /// Only what these do not cover counts from now on.
  void use_stairs(Stairs stairs) { stairs_ = stairs; }

  Label root() const;
  /// A lower bound on every completion of the branch; its exact cost if there are no temporal loops.
  double root_bound() const { return root_bound_; }
  int max_depth() const { return factors_; }
  int depth(const Label& label) const { return label.placed; }
  std::uint64_t key(const Label& label) const;
  bool dominates(const Label& a, const Label& b, double cut) const;
  /// The cost so far if nothing but the loops' own iterations were still to pay.
  double preference(const Label& label) const;

  /// Calls emit(child, bound) for the children whose bound lies in [from, below), and for complete children
  /// that cost less than `cut`. Returns the least bound among the other children at or above `below`.
  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const;

  /// The mapping that a walk back from a complete label describes; see LabelSearch::walk_back.
  template <typename Search>
  Mapping solution(const Search& search) const;

 private:
  // What one operand may do in a slot: stay, or jump outward.
  struct Move {
    std::uint8_t to = 0;
    bool jump = false;
    bool doubled = false;
    Int cycles = 0;     // T
    Int moved = 0;      // T' of the stall model, T in the other
    Int contender = 0;  // c_x
    Int departing = 0;  // bits left behind in the memory, doubled if so
    double additive = 0;
  };
  using Moves = FixedVector<Move, 2 * max_memories>;

  // A label taken apart for expansion.
  struct Context {
    const Label* label = nullptr;
    std::array<TableIndex, operand_count> index{};
    std::array<Int, dim_count> remaining{};
    bool complete = false;  // all reduction loops inside
    Int distinct_outputs = 1;
  };

  // The loop to place: the lattice's sub-multiset `factors` of `dim`, `n` iterations.
  struct Step {
    std::size_t dim = 0;
    LatticeNode factors = 0;
    Int n = 1;
  };
  using Pair = std::array<const Move*, operand_count>;

  // A move together with the growth of one dimension: what the operand's table says of it.
  struct Offer {
    const Move* move = nullptr;
    double additive = 0;  // of the move and of all that follows, relaxed
    Int transfers = 0;
    Int stream = 0;
  };
  using Offers = FixedVector<Offer, 2 * max_memories>;
  using Trio = std::array<const Offer*, operand_count>;

  Context context(const Label& label) const;
  void list_moves(const Context& context, Operand operand, Moves& moves) const;
  void add_jump(const Context& context, Operand operand, std::size_t to, Moves& moves) const;
  Int room(const Context& context, Operand operand) const;
  // Whether P_O exceeds M after this O move (miredo only).
  bool overruns(const Label& label, const Move& move, Int period) const;
  Label place(const Label& label, const Step& step, const Pair& moves, Int period, bool complete) const;
  void add_latency(Label& child, const Step& step, const Pair& moves, Int period) const;
  void settle(Label& child) const;
  void forget_closed_memories(Label& child) const;
  bool can_jump(const Label& label, Operand operand) const;
  bool offer_of(const Move& move, std::size_t x, TableIndex index, Offer& offer) const;
  // What the loops and tables say of a label's latency, before they are put together.
  struct Ahead {
    Int steady = 0;                          // stall: the steady part and T_O so far
    Int latest = 0;                          // miredo: the latest P of an operand that jumps no more
    Int written = 0;                         // miredo: P_O so far
    Int iterations = 0;                      // M * (rest - 1)
    std::array<Int, operand_count> first{};  // T so far, I and W
    std::array<Int, operand_count> transfers{};
    std::array<Int, operand_count> stream{};
  };
  Int latency_of(const Ahead& ahead) const;
  struct Bound {
    Int latency = 0;
    double additive = 0;
  };
  Bound bound_of(const Label& label, const Trio& trio, Int period, Int n) const;
  double combine(const Bound& bound) const;
  bool latency_excess(const Label& a, const Label& b, Int& excess) const;
  bool trade_pays(const Label& a, const Label& b, Int excess, double cut) const;

  bool fits(const Label& label, const std::array<TableIndex, operand_count>& index) const;
  Int stored_bits(const Label& label, Operand operand, TableIndex index) const;
  Bound bound(const Label& label, const std::array<TableIndex, operand_count>& index) const;
  Int latency_bound(const Label& label, const std::array<TableIndex, operand_count>& index) const;
  double complete_cost(const Label& label, const std::array<TableIndex, operand_count>& index) const;
  double bound_or_cost(const Label& label) const;
  // What a child's bound needs beyond bound_of: shared capacity, miredo's recursion, the cost of a complete
  // one.
  double feasible_bound(Label& child, const Bound& known) const;

  // The loops that the constraints fix outermost, and all their factors per dimension.
  struct FixedLoop {
    std::size_t dim = 0;
    LatticeNode factors = 0;
  };
  bool find_fixed_loops();
  const FixedLoop* next_fixed(const Label& label) const;

  template <typename Visit>
  void each_factor(const Label& label, std::size_t dim, Visit visit) const;
  bool wants(const Label& label, std::size_t dim, LatticeNode factors, const Trio& trio, Int period) const;

  FixedVector<FixedLoop, max_loops> fixed_loops_;  // outermost first
  std::array<LatticeNode, dim_count> fixed_factors_{};
  Stairs stairs_;
  bool stall_ = true;
  bool needs_latency_ = true;
  bool needs_additive_ = false;
  bool trades_ = false;  // edp: latency may pay for energy in dominance
  double root_bound_ = 0;
};

}  // namespace nestor::cim

#include "model/cim/search/branch_expand.h"
