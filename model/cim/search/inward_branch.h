// One branch of the cim space, searched from the outermost loop inward, for energy alone. Transfers to and
// from the outermost memories dominate the energy. If they are placed first, their cost is known exactly,
// including refetches caused by irrelevant loops, and the bound estimates only a small remainder. (Latency
// needs the recursion of docs/models/cim.md, section 6, from the innermost loop outward: branch.h.)
//
// A label contains, per dimension, the factors still to be placed inside; per operand, the memory whose block
// the next loop extends; and the energy of all transfers so far. In the first step, operands may jump inward
// before any loop is placed; their whole content is then transferred once. Each later step places a loop of
// one factor inside all loops placed so far, and lets the operands to which this loop is relevant jump inward
// below it. For every canonical mapping, the search reaches a mapping of equal energy, because energy does
// not depend on the order or the splitting of the loops between two jumps.
//
// The size of a block is known when its operand enters from outside, except for O: a reduction loop in the
// block makes its sums partial. Final sums are assumed until such a loop is placed; `pending` is the number
// of bits that are then added.
#pragma once

#include <algorithm>

#include "model/cim/search/branch_frame.h"
#include "model/cim/search/inward_table.h"
#include "model/loopnest/search/nest_branch.h"

namespace nestor::cim {

struct InwardLabel {
  std::array<LatticeNode, dim_count> node{};     ///< factors still to be placed inside, per dimension
  std::array<std::uint8_t, operand_count> at{};  ///< chain position of the block being extended
  bool started = false;                          ///< true after the first step
  bool mirrored = false;                         ///< true if (P, R) and (Q, S) were exchanged in this step
  std::uint8_t placed = 0;                       ///< factors placed, over all dimensions
  double energy = 0;  ///< energy of all transfers so far, and the common cost of all completions
  Int pending = 0;    ///< additional bits of O's block if its sums are partial
  std::array<Int, max_shared_memories> taken{};  ///< bits taken in shared memories, per slot
};

class InwardBranch : private BranchFrame {
 public:
  using Label = InwardLabel;
  using BranchFrame::Problem;
  using BranchFrame::Solution;
  using Builder = InwardTables;
  using Tables = std::array<const InwardTables::Tables*, operand_count>;

  /// True if the search can solve a problem: only the energy matters, no loop order is prescribed, and
  /// partial sums are at least as wide as outputs, so that `pending` is never negative.
  static bool answers(const CimProblem& problem) {
    return problem.objective.kind == ObjectiveKind::energy && !problem.follows_latency() &&
           problem.constraints.outer_loops.empty() &&
           problem.layer.bits.partial_sum >= problem.layer.bits.output;
  }

  BranchSetup prepare(const CimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                      const Tables& tables, Arena& arena);
  void use_tables(const Tables& tables) {
    tables_ = outward_of(tables);
    for (std::size_t x = 0; x < operand_count; ++x) inward_[x] = &tables[x]->inward;
  }

  Label root() const;
  double root_bound() const { return root_bound_; }
  int max_depth() const { return factors_ + 1; }
  int depth(const Label& label) const { return label.placed + static_cast<int>(label.started); }
  std::uint64_t key(const Label& label) const;
  /// Equal keys mean equal remaining loops and equal possible transfers, at the same cost.
  bool dominates(const Label& a, const Label& b, double cut) const;
  double preference(const Label& label) const { return label.energy; }

  /// Required by SearchBranch.
  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const;

  /// Returns the mapping of a complete label, found by following its parents; see LabelSearch::walk_back.
  template <typename Search>
  Mapping solution(const Search& search) const;
  /// Required by ChecksLabels (solver/engine/label_state.h); the first step has no loop.
  bool is_step(const Label& parent, const Label& child) const {
    if (!are_on_chains(child.at) || !child.started || (child.mirrored && !symmetric_)) return false;
    const auto node = child.mirrored ? mirror(child.node) : child.node;
    const int factors = parent.started ? factors_between(node, parent.node) : 0;
    return child.placed == parent.placed + factors && (parent.started ? factors > 0 : node == parent.node);
  }

 private:
  // Move of one operand below a loop: it stays or jumps inward.
  struct Move {
    std::uint8_t to = 0;
    double energy = 0;  // energy of the jump
    double bound = 0;   // energy of the jump plus a lower bound on that of all later jumps
    Int bits = 0;       // bits taken in the memory entered
    Int pending = 0;    // O: additional bits in this memory if its sums are partial
  };
  using Moves = FixedVector<Move, max_memories>;
  using MovePerOperand = std::array<const Move*, operand_count>;

  static OperandTables outward_of(const Tables& tables) {
    return {&tables[0]->outward, &tables[1]->outward, &tables[2]->outward};
  }
  void list_moves(const Label& label, Operand operand, TableIndex index, const Outside& outside,
                  bool may_jump, Moves& moves) const;
  /// True if a loop over `dim` would be outside the innermost block of a stationary operand to which it is
  /// irrelevant.
  bool unsettles(const Label& label, Dim dim) const {
    for (const Operand operand : all_operands)
      if (problem_->constraints.stationary.contains(operand) && !problem_->layer.is_relevant(dim, operand) &&
          label.at[index_of(operand)] != tables_[index_of(operand)]->innermost())
        return true;
    return false;
  }
  double least(std::size_t x, TableIndex index, std::size_t position, Int irrelevant) const;
  // Applies the moves below a placed loop. Returns false if a memory overflows.
  bool carry_out(Label& child, const MovePerOperand& moves) const;
  // Accounts for a reduction loop in O's block, which makes the sums partial. Returns false if the block no
  // longer fits a memory without a slot; carry_out() checks memories with slots.
  bool widen_pending(Label& child) const;

  std::array<const InwardTable*, operand_count> inward_{};
  double root_bound_ = 0;
};

template <typename Emit>
double InwardBranch::expand(const Label& label, double from, double below, double cut, Emit emit) const {
  double least_beyond = infinite;
  // Emits the children of one step for all combinations of moves. `stepped` already includes the placed loop.
  const auto combine = [&](const Label& stepped, const std::array<Moves, operand_count>& moves) {
    const bool completes = stepped.placed == factors_;
    MovePerOperand chosen{};
    for (const Move& i : moves[0])
      for (const Move& w : moves[1])
        for (const Move& o : moves[2]) {
          const double bound = label.energy + i.bound + w.bound + o.bound;
          if (completes ? bound >= cut : bound >= below) {
            least_beyond = std::min(least_beyond, bound);
            continue;
          }
          if (!completes && bound < from) continue;
          Label child = stepped;
          chosen = {&i, &w, &o};
          if (carry_out(child, chosen)) emit(child, bound);
        }
  };

  const auto index = table_indices(label.node);
  std::array<Outside, operand_count> outside_now;
  for (const Operand operand : all_operands)
    outside_now[index_of(operand)] = outside(problem_->layer, label.node, operand);
  if (!label.started) {
    Label stepped = label;
    stepped.started = true;
    std::array<Moves, operand_count> moves;
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      list_moves(label, operand, index[x], {}, true, moves[x]);
    }
    combine(stepped, moves);
    return least_beyond;
  }
  for (std::size_t d = 0; d < dim_count; ++d) {
    const FactorLattice& lattice = lattices_[d];
    const auto dim = static_cast<Dim>(d);
    if (unsettles(label, dim)) continue;
    for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
      const LatticeNode one = lattice.stride(k);
      if (label.node[d] < one || !lattice.can_multiply(static_cast<LatticeNode>(label.node[d] - one), k))
        continue;
      Label stepped = label;
      stepped.node[d] = static_cast<LatticeNode>(label.node[d] - one);
      ++stepped.placed;
      if (problem_->layer.is_reduction(dim) && !widen_pending(stepped)) continue;
      std::array<Moves, operand_count> moves;
      for (const Operand operand : all_operands) {
        const auto x = index_of(operand);
        const bool relevant = problem_->layer.is_relevant(dim, operand);
        Outside after = outside_now[x];
        (relevant ? after.relevant : after.irrelevant) *= lattice.factor(k);
        list_moves(stepped, operand, index[x] - one * tables_[x]->stride(d), after, relevant, moves[x]);
      }
      stepped.mirrored = symmetric_ && mirror(stepped.node) < stepped.node;
      if (stepped.mirrored) stepped.node = mirror(stepped.node);
      combine(stepped, moves);
    }
  }
  return least_beyond;
}

template <typename Search>
Mapping InwardBranch::solution(const Search& search) const {
  Mapping mapping;
  mapping.spatial = spatial_;
  FixedVector<Loop, max_loops> innermost_first;
  bool mirrored = false;       // true if this step is mirrored relative to the complete label
  bool inner_follows = false;  // true if no operand moves between this loop and the next inner loop
  search.walk_back([&](const Label& parent, const Label& child) {
    mirrored ^= child.mirrored;
    if (!parent.started) return;
    const auto node = child.mirrored ? mirror(child.node) : child.node;
    std::size_t d = 0;
    while (parent.node[d] == node[d]) ++d;
    const Int factor = lattices_[d].value(parent.node[d]) / lattices_[d].value(node[d]);
    const auto dim = static_cast<Dim>(d);
    Loop loop{.dim = mirrored ? mirror(dim) : dim, .factor = factor};
    for (std::size_t x = 0; x < operand_count; ++x) loop.at[x] = chains_[x][parent.at[x]];
    inner_follows = parent.at == child.at;
    if (inner_follows && !innermost_first.empty() && innermost_first.back().dim == loop.dim)
      innermost_first.back().factor *= loop.factor;
    else
      innermost_first.push_back(loop);
  });
  for (std::size_t i = innermost_first.size(); i-- > 0;) mapping.loops.push_back(innermost_first[i]);
  return mapping;
}

static_assert(NestBranch<InwardBranch>);

}  // namespace nestor::cim
