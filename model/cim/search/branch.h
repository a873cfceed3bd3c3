// One branch of the cim space: a spatial choice with all mappings below it, searched from the innermost loop
// outward, in the direction of the latency recursion (docs/models/cim.md, section 6). It combines the
// placement of loops (placement.h) with the recursion of one latency model (stall_recursion.h,
// miredo_recursion.h), or with an empty recursion for energy alone.
//
// Loop factors. Single factors suffice for loops without a transfer, since splitting such a loop changes
// nothing, and for most loops with a transfer. A longer loop has the same cost as a single factor followed by
// transfer-free loops of the same dimension, because after every loop M >= P, so that the next L is M. Two
// exceptions:
// - splitting a loop of 2 * 2 with a double-buffered I or W may increase P (by (6.3), T * N exceeds the other
//   term only for N = 2), so the unsplit loop is offered as well;
// - in the miredo model P_O may exceed M after an O transfer (2T + P > L), and then splitting the loop makes
//   the next L longer, so every product of the remaining factors is offered.
#pragma once

#include "model/cim/search/miredo_recursion.h"
#include "model/cim/search/stall_recursion.h"
#include "model/loopnest/search/nest_branch.h"
#include "solver/search/slice.h"

namespace nestor::cim {

template <LatencyRecursion Recursion>
class OutwardBranch : public Placement {
 public:
  struct Label : PlacementLabel {
    typename Recursion::State state;
    Int least_latency = 0;  ///< lower bounds on latency and additive cost, for trade_pays()
    Cost least_additive = 0;
  };

  /// Each table is built from the result of make_setup() for this choice and must outlive the branch.
  BranchSetup prepare(const CimProblem& problem, const Lattices& lattices, const SpatialChoice& choice,
                      const Tables& tables, Arena& arena);

  /// From this call on, the branch prunes mappings that `staircase` covers.
  void use_staircase(Staircase staircase) { staircase_ = staircase; }

  Label root() const;
  Cost root_bound() const { return root_bound_; }
  /// Returns a lower bound on the cost of all mappings with this number of `steps`, from the cost of each
  /// operand alone; it needs no tables. The latency is the larger of two bounds. The first includes the
  /// streams. The second omits them and adds `waits`: if an operand must leave its innermost memory from a
  /// single buffer with r iterations remaining, L >= T + P, where P is at least the time of the MVMs inside.
  /// This adds T * (r - 1) cycles to the time of the MVMs of all steps.
  static Cost bound_without_tables(const CimProblem& problem, Int steps, const RemainingTransfers& outlook,
                                   Int waits, Cost additive) {
    const Int mvm = problem.machine.mvm_cycles;
    typename Recursion::State state;
    Recursion::start(state, mvm);
    const Int streaming = Recursion::bound(state, steps, outlook, {}, mvm);
    const Int waiting =
        waits + Recursion::bound(state, steps, {.transfers = outlook.transfers, .stream = {}}, {}, mvm);
    return problem.objective.combine(static_cast<Cost>(std::max(streaming, waiting)), additive);
  }
  bool dominates(const Label& a, const Label& b, Cost cut) const;
  /// Returns the cost that the label would have if the remaining loops required no transfers.
  Cost preference(const Label& label) const {
    const Int latency = Recursion::preference(label.state, label.rest);
    return problem_->objective.combine(static_cast<Cost>(latency), label.additive);
  }
  template <typename Emit>
  Cost expand(const Label& label, Cost from, Cost below, Cost cut, Emit emit) const {
    StepListsOnStack lists;
    WholeExpansion pace;
    return expand(label, from, below, cut, emit, lists, pace);
  }
  /// Expands with lists that the caller provides; `pace` can interrupt and resume the expansion.
  template <typename Emit, typename ExpansionPace>
  Cost expand(const Label& label, Cost from, Cost below, Cost cut, Emit emit, StepLists& lists,
              ExpansionPace& pace) const;

 private:
  struct Bound {
    Int latency = 0;
    Cost additive = 0;
  };
  using Indices = std::array<TableIndex, operand_count>;

  static constexpr std::uint32_t units_of_child = 3;  // work of building a child, without checking it

  Int mvm() const { return problem_->machine.mvm_cycles; }
  void to_normal_form(Label& label) const { Recursion::to_normal_form(label.state, ended(label)); }
  // Returns, for each operand, true if it can make no further jump.
  std::array<bool, operand_count> ended(const Label& label) const {
    return {!can_jump(label, Operand::I), !can_jump(label, Operand::W), !can_jump(label, Operand::O)};
  }
  Label child_of(const Label& label, const LoopStep& step, const OfferPerOperand& offers, Int period,
                 bool complete) const;
  Bound bound_of_child(const Label& label, const OfferPerOperand& offers, Int period, Int n) const;
  Bound bound_of(const Label& label, const Indices& index) const;
  Cost complete_cost(const Label& label, const Indices& index) const;
  Cost combine(const Bound& bound) const;
  // Sets the bounds of a child. Returns the cost if the child is complete, the refined bound if the recursion
  // refines bounds (otherwise no_bound), and infinite if the child does not fit the memories.
  Cost feasible_bound(Label& child, const Bound& known) const;
  bool trade_pays(const Label& a, const Label& b, Int excess, Cost cut) const;
  template <typename Visit>
  void each_factor(const Label& label, std::size_t dim, Visit visit) const;
  bool is_worth_a_loop(const Label& label, const LoopStep& step, const OfferPerOperand& offers,
                       Int period) const;
  // Calls consider(step, offers, period) for each loop over a dimension and each combination of moves.
  template <typename ExpansionPace, typename Consider>
  Cost each_step(const Label& label, const Context& here, StepLists& lists, std::size_t dim, Cost below,
                 ExpansionPace& pace, Consider consider) const;

  Staircase staircase_;
  bool trades_ = false;  // true if dominance may trade latency for additive cost (edp, eq14)
  Cost root_bound_ = 0;
};

using StallBranch = OutwardBranch<StallRecursion>;
using MiredoBranch = OutwardBranch<MiredoRecursion>;
using EnergyBranch = OutwardBranch<NoRecursion>;

template <LatencyRecursion Recursion>
BranchSetup OutwardBranch<Recursion>::prepare(const CimProblem& problem, const Lattices& lattices,
                                              const SpatialChoice& choice, const Tables& tables,
                                              Arena& arena) {
  const auto setup = prepare_placement(problem, lattices, choice, tables, arena);
  if (setup != BranchSetup::ready) return setup;
  const ObjectiveKind kind = problem.objective.kind;
  trades_ = problem.techniques.trades && (kind == ObjectiveKind::edp || kind == ObjectiveKind::eq14) &&
            !problem.constraints.limits_latency() && !problem.constraints.limits_additive();
  const Label start = root();
  const auto index = table_indices(start.node);
  root_bound_ = infinite;
  if (is_reachable(start) && fits(start, index))
    root_bound_ = start.placed == factors_ ? complete_cost(start, index) : combine(bound_of(start, index));
  return root_bound_ < infinite ? BranchSetup::ready : BranchSetup::infeasible;
}

template <LatencyRecursion Recursion>
typename OutwardBranch<Recursion>::Label OutwardBranch<Recursion>::root() const {
  Label label;
  start(label);
  Recursion::start(label.state, mvm());
  to_normal_form(label);
  return label;
}

// Equal keys mean equal remaining loops and equal possible transfers. Any other difference affects the
// remaining recursion only through the costs and the departed bits, and the recursion is monotone in all of
// them.
template <LatencyRecursion Recursion>
bool OutwardBranch<Recursion>::dominates(const Label& a, const Label& b, Cost cut) const {
  if (!departed_no_more(a, b)) return false;
  if constexpr (!Recursion::follows_latency) return a.additive <= b.additive;
  const auto excess = Recursion::excess(a.state, b.state, a.rest, trades_);
  if (!excess) return false;
  if (*excess <= 0 && (!needs_additive() || a.additive <= b.additive)) return true;
  return trades_ && trade_pays(a, b, *excess, cut);
}

// eq14 is a sum. For any cut, a completion of `a` therefore costs at most as much as the same completion of
// `b`, plus the sum of the excesses of `a` over `b`.
//
// edp. Let a completion of `b` cost E * T < cut. The same completion of `a` costs at most (E + e) * (T + t),
// where e and t are known and have opposite signs. With E >= E0 and T >= T0, E <= cut / T0 and T <= cut / E0:
//     t > 0 > e:  (E + e)(T + t) <= E T  if  E t <= -e (T + t), implied by  (cut / T0) t <= -e T0
//     e > 0 > t:  symmetrically,         implied by  (cut / E0) e <= -t E0
// The factor below 1 is a margin for rounding.
template <LatencyRecursion Recursion>
bool OutwardBranch<Recursion>::trade_pays(const Label& a, const Label& b, Int excess, Cost cut) const {
  if constexpr (latency_only) return false;
  constexpr double margin = 1 - 1e-9;
  if (problem_->objective.kind == ObjectiveKind::eq14)
    return problem_->objective.combine(static_cast<Cost>(excess), a.additive - b.additive) <= 0;
  const Cost e = a.additive - b.additive + problem_->objective.leakage * static_cast<Cost>(excess);
  const auto t = static_cast<Cost>(excess);
  const auto least_latency = static_cast<Cost>(b.least_latency);
  const Cost least_energy = b.least_additive + problem_->objective.leakage * least_latency;
  if (cut == infinite) return false;
  if (t <= 0 && e <= 0) return true;
  if (t > 0) return e < 0 && cut * t <= -e * least_latency * least_latency * margin;
  return e > 0 && cut * e <= -t * least_energy * least_energy * margin;
}

template <LatencyRecursion Recursion>
typename OutwardBranch<Recursion>::Label OutwardBranch<Recursion>::child_of(const Label& label,
                                                                            const LoopStep& step,
                                                                            const OfferPerOperand& offers,
                                                                            Int period, bool complete) const {
  const MovePerOperand moves{offers[0]->move, offers[1]->move, offers[2]->move};
  Label child = label;
  place(child, step, moves, complete);
  Recursion::advance(child.state, step.n, moves, period);
  mirror_if_less(child);
  to_normal_form(child);
  return child;
}

template <LatencyRecursion Recursion>
typename OutwardBranch<Recursion>::Bound OutwardBranch<Recursion>::bound_of_child(
    const Label& label, const OfferPerOperand& offers, Int period, Int n) const {
  return {.latency = Recursion::bound_of_child(label.state, label.rest, offers, period, n, mvm()),
          .additive = label.additive + offers[0]->additive + offers[1]->additive + offers[2]->additive};
}

template <LatencyRecursion Recursion>
typename OutwardBranch<Recursion>::Bound OutwardBranch<Recursion>::bound_of(const Label& label,
                                                                            const Indices& index) const {
  Bound bound{.additive = label.additive};
  RemainingTransfers outlook;
  for (std::size_t x = 0; x < operand_count; ++x) {
    const OperandTable::Entry& entry = tables_[x]->entry(index[x], label.at[x]);
    outlook.transfers[x] = entry.transfers;
    outlook.stream[x] = entry.stream;
    bound.additive += entry.additive;
  }
  bound.latency = Recursion::bound(label.state, label.rest, outlook, ended(label), mvm());
  return bound;
}

template <LatencyRecursion Recursion>
Cost OutwardBranch<Recursion>::feasible_bound(Label& child, const Bound& known) const {
  const auto index = table_indices(child.node);
  if (!fits(child, index)) return infinite;
  forget_closed_memories(child);
  if (child.placed == factors_) return complete_cost(child, index);
  child.least_additive = known.additive;
  child.least_latency = known.latency;
  if constexpr (!Recursion::refines_children) return no_bound;
  const Bound exact = bound_of(child, index);
  child.least_latency = std::max(known.latency, exact.latency);
  return combine(exact);
}

template <LatencyRecursion Recursion>
Cost OutwardBranch<Recursion>::complete_cost(const Label& label, const Indices& index) const {
  const Ending end = ending(label, index);
  if (!end.possible) return infinite;
  return combine({.latency = Recursion::complete(label.state, end.cycles, mvm()), .additive = end.additive});
}

// Returns the objective of two bounds (or of exact values). Returns infinite if a limit is exceeded or the
// staircase covers them.
template <LatencyRecursion Recursion>
Cost OutwardBranch<Recursion>::combine(const Bound& bound) const {
  const Int latency = std::max(bound.latency, problem_->known_latency);
  const Cost additive = std::max(bound.additive, problem_->known_additive);
  if (latency > problem_->constraints.max_latency || additive > problem_->constraints.max_additive ||
      staircase_.cover(latency, additive))
    return infinite;
  return problem_->objective.combine(static_cast<Cost>(latency), additive);
}

// Visits the possible factors of the next loop of a dimension. is_worth_a_loop() then filters them per
// combination of moves.
template <LatencyRecursion Recursion>
template <typename Visit>
void OutwardBranch<Recursion>::each_factor(const Label& label, std::size_t dim, Visit visit) const {
  const FactorLattice& lattice = lattices_[dim];
  if (has_fixed_loops()) {
    if (const FixedLoop* loop = next_fixed(label)) {
      if (loop->dim == dim) visit(loop->factors);
      return;
    }
  }
  if constexpr (Recursion::offers_every_product) {
    const auto left = static_cast<LatticeNode>(lattice.last() - label.node[dim]);
    for (LatticeNode factors = 1; factors <= left; ++factors)
      if (may_place(label, dim, factors)) visit(factors);
    return;
  }
  for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
    const LatticeNode one = lattice.stride(k);
    const auto two = static_cast<LatticeNode>(2 * one);
    if (lattice.can_multiply(label.node[dim], k) && may_place(label, dim, one)) visit(one);
    if (Recursion::offers_pairs_of_two && lattice.factor(k) == 2 && lattice.fits_beside(one, one) &&
        may_place(label, dim, two))
      visit(two);
  }
}

template <LatencyRecursion Recursion>
bool OutwardBranch<Recursion>::is_worth_a_loop(const Label& label, const LoopStep& step,
                                               const OfferPerOperand& offers, Int period) const {
  const int depth = lattices_[step.dim].depth(step.factors);
  if (depth == 1 || next_fixed(label) != nullptr) return true;
  if (doubles_an_input(offers) && depth == 2 && step.n == 4) return true;
  return Recursion::pays_in_one_loop(label.state, offers, period);
}

// An operand to which the dimension is irrelevant stays; every other operand may move. Returns the least
// bound of the combinations that are skipped because their bound is not below `below`.
template <LatencyRecursion Recursion>
template <typename ExpansionPace, typename Consider>
Cost OutwardBranch<Recursion>::each_step(const Label& label, const Context& here, StepLists& lists,
                                         std::size_t dim, Cost below, ExpansionPace& pace,
                                         Consider consider) const {
  Cost least_beyond = infinite;
  Cost staying = label.additive;
  const auto& moves = lists.moves;
  auto& offers = lists.offers;
  std::array<bool, operand_count> may_move{};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    may_move[x] = problem_->layer.is_relevant(static_cast<Dim>(dim), operand);
    if (may_move[x]) continue;
    Offer stays;
    if (!offer_of(moves[x][0], x, here.index[x], stays)) return least_beyond;
    offers[x].clear();
    offers[x].push_back(stays);
    staying += stays.additive;
  }
  const std::size_t first_factor = pace.first(1);
  std::size_t number = 0;
  each_factor(label, dim, [&](LatticeNode factors) {
    if (pace.left() || number++ < first_factor) return;
    const LoopStep step{.dim = dim, .factors = factors, .n = lattices_[dim].value(factors)};
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (!may_move[x]) continue;
      offers[x].clear();
      for (const Move& move : moves[x]) {
        Offer offer;
        if (offer_of(move, x, here.index[x] + factors * tables_[x]->stride(dim), offer))
          offers[x].push_back(offer);
      }
    }
    for (std::size_t i = pace.first(2); i < offers[input].size(); ++i)
      for (std::size_t w = pace.first(3); w < offers[weight].size(); ++w)
        for (std::size_t o = pace.first(4); o < offers[output].size(); ++o) {
          if (pace.leaves({dim, number - 1, i, w, o})) return;
          pace.charge(1);
          const OfferPerOperand chosen{&offers[input][i], &offers[weight][w], &offers[output][o]};
          if constexpr (!Recursion::follows_latency) {
            // Most combinations already reach `below` here.
            Cost additive = staying;
            for (std::size_t x = 0; x < operand_count; ++x)
              if (may_move[x]) additive += chosen[x]->additive;
            if (additive >= below && label.rest != step.n) {
              least_beyond = std::min(least_beyond, additive);
              continue;
            }
          }
          const Int period = Recursion::period(label.state, chosen);
          if (is_worth_a_loop(label, step, chosen, period)) consider(step, chosen, period);
        }
    pace.charge(units_of_moves());
  });
  return least_beyond;
}

template <LatencyRecursion Recursion>
template <typename Emit, typename ExpansionPace>
Cost OutwardBranch<Recursion>::expand(const Label& label, Cost from, Cost below, Cost cut, Emit emit,
                                      StepLists& lists, ExpansionPace& pace) const {
  const Context here = context(label);
  list_moves(here, Recursion::follows_latency, lists);
  for (std::size_t x = 0; x < operand_count; ++x)
    for (Move& move : lists.moves[x]) Recursion::time(label.state, x, here.returns(), label.rest, move);
  Cost least_beyond = infinite;

  const auto consider = [&](const LoopStep& step, const OfferPerOperand& offers, Int period) {
    const bool completes = label.rest == step.n;
    const Bound known = bound_of_child(label, offers, period, step.n);
    Cost bound = combine(known);
    if (!completes && bound < below) {
      if (!Recursion::refines_children && bound < from) return;  // this bound is already the child's bound
    } else if (bound >= cut || !completes) {
      least_beyond = std::min(least_beyond, bound);
      return;
    }
    pace.charge(units_of_child);
    Label child = child_of(label, step, offers, period, here.complete);
    bound = std::max(bound, feasible_bound(child, known));
    if (completes ? bound < cut : bound < below) {
      if (completes || bound >= from) emit(child, bound);
    } else {
      least_beyond = std::min(least_beyond, bound);
    }
  };
  for (std::size_t d = pace.first(0); d < dim_count && !pace.left(); ++d)
    if (here.remaining[d] != 1)
      least_beyond = std::min(least_beyond, each_step(label, here, lists, d, below, pace, consider));
  return least_beyond;
}

static_assert(StaircaseBranch<StallBranch> && NamesSteps<StallBranch>);
static_assert(StaircaseBranch<MiredoBranch> && NamesSteps<MiredoBranch>);
static_assert(StaircaseBranch<EnergyBranch> && NamesSteps<EnergyBranch>);

}  // namespace nestor::cim
