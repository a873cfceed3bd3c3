// The templates of branch.h: generating the children of a label, and reading a mapping off a finished search.
// Included by branch.h only.
#pragma once

#include <algorithm>

#include "model/cim/search/branch.h"

namespace nestor::cim {

inline bool Branch::offer_of(const Move& move, std::size_t x, TableIndex index, Offer& offer) const {
  const OperandTable::Entry& entry = tables_[x]->entry(index, move.to);
  if (entry.transfers >= unreachable) return false;
  offer = {.move = &move,
           .additive = move.additive + entry.additive,
           .transfers = entry.transfers,
           .stream = entry.stream};
  return true;
}

// The factors that the next loop of a dimension may have (see branch.h); wants() says for which moves.
template <typename Visit>
void Branch::each_factor(const Label& label, std::size_t dim, Visit visit) const {
  const FactorLattice& lattice = lattices_[dim];
  const LatticeNode fixed = fixed_factors_[dim];
  const LatticeNode node = label.node[dim];
  if (!fixed_loops_.empty()) {
    if (const FixedLoop* loop = next_fixed(label)) {
      if (loop->dim == dim) visit(loop->factors);
      return;
    }
  }
  const auto offer = [&](LatticeNode factors) {
    if (lattice.fits_beside(node, factors) &&
        (fixed == 0 || lattice.fits_beside(static_cast<LatticeNode>(node + factors), fixed)))
      visit(factors);
  };
  if (needs_latency_ && !stall_) {
    const auto left = static_cast<LatticeNode>(lattice.last() - node);
    for (LatticeNode factors = 1; factors <= left; ++factors) offer(factors);
    return;
  }
  for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
    const LatticeNode one = lattice.stride(k);
    if (lattice.can_multiply(node, k)) offer(one);
    if (needs_latency_ && lattice.factor(k) == 2 && lattice.fits_beside(one, one))
      offer(static_cast<LatticeNode>(2 * one));
  }
}

template <typename Emit>
double Branch::expand(const Label& label, double from, double below, double cut, Emit emit) const {
  const Context here = context(label);
  std::array<Moves, operand_count> moves;
  for (const Operand operand : all_operands) list_moves(here, operand, moves[index_of(operand)]);
  double least_beyond = infinite;

  const bool additive_only = !needs_latency_;
  const auto consider = [&](const Step& step, const Trio& trio, Int period) {
    const bool completes = label.rest == step.n;
    const Bound known = bound_of(label, trio, period, step.n);
    double bound = combine(known);
    if (!completes && bound < below) {
      // Without the miredo recursion the bound is already that of the child.
      if (stall_ && bound < from) return;
    } else if (bound >= cut || !completes) {
      least_beyond = std::min(least_beyond, bound);
      return;
    }
    Label child = place(label, step, {trio[0]->move, trio[1]->move, trio[2]->move}, period, here.complete);
    bound = std::max(bound, feasible_bound(child, known));
    if (completes ? bound < cut : bound < below) {
      if (completes || bound >= from) emit(child, bound);
    } else {
      least_beyond = std::min(least_beyond, bound);
    }
  };

  for (std::size_t d = 0; d < dim_count; ++d) {
    if (here.remaining[d] == 1) continue;
    // An operand that does not see the dimension stays where it is; the others may move.
    double settled = label.additive;
    std::array<Offers, operand_count> offers;
    std::array<bool, operand_count> moves_on{};
    bool possible = true;
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      moves_on[x] = problem_->layer.is_relevant(static_cast<Dim>(d), operand);
      if (moves_on[x]) continue;
      Offer stays;
      possible = possible && offer_of(moves[x][0], x, here.index[x], stays);
      offers[x].push_back(stays);
      settled += stays.additive;
    }
    if (!possible) continue;
    each_factor(label, d, [&](LatticeNode factors) {
      for (std::size_t x = 0; x < operand_count; ++x) {
        if (!moves_on[x]) continue;
        offers[x].clear();
        for (const Move& move : moves[x]) {
          Offer offer;
          if (offer_of(move, x, here.index[x] + factors * tables_[x]->stride(d), offer))
            offers[x].push_back(offer);
        }
      }
      for (const Offer& i : offers[input])
        for (const Offer& w : offers[weight])
          for (const Offer& o : offers[output]) {
            const Trio trio{&i, &w, &o};
            // Most combinations already cost too much.
            double additive = settled;
            for (std::size_t x = 0; x < operand_count; ++x)
              if (moves_on[x]) additive += trio[x]->additive;
            if (additive_only && additive >= below && label.rest != lattices_[d].value(factors)) {
              least_beyond = std::min(least_beyond, additive);
              continue;
            }
            Int period = label.critical;
            for (std::size_t x = 0; x < operand_count; ++x)
              if (moves_on[x]) period = std::max(period, trio[x]->move->contender);
            if (wants(label, d, factors, trio, period))
              consider({.dim = d, .factors = factors, .n = lattices_[d].value(factors)}, trio, period);
          }
    });
  }
  return least_beyond;
}

template <typename Search>
Mapping Branch::solution(const Search& search) const {
  Mapping mapping;
  mapping.spatial = spatial_;
  bool outer_moves_nothing = false;
  bool outer_is_fixed = false;
  std::size_t fixed_left = fixed_loops_.size();  // the walk comes to them first
  bool mirrored = false;  // whether this step's frame is the mirror of the complete label's
  search.walk_back([&](const Label& parent, const Label& child) {
    mirrored ^= child.mirrored;
    const auto node = child.mirrored ? mirror(child.node) : child.node;
    std::size_t d = 0;
    while (parent.node[d] == node[d]) ++d;
    const Int factor = lattices_[d].value(node[d]) / lattices_[d].value(parent.node[d]);
    const auto dim = static_cast<Dim>(d);
    Loop loop{.dim = mirrored ? mirror(dim) : dim, .factor = factor};
    bool moves_nothing = true;
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      loop.at[x] = chains_[x][child.at[x]];
      if (child.at[x] == parent.at[x]) continue;
      moves_nothing = false;
      if (child.doubled[x]) mapping.double_buffered[chains_[x][parent.at[x]]].insert(operand);
    }
    // A loop without transfers joins the loop of its dimension just inside, unless it is a fixed one.
    const bool fixed = fixed_left > 0;
    if (fixed) --fixed_left;
    if (outer_moves_nothing && !outer_is_fixed && mapping.loops.back().dim == loop.dim)
      mapping.loops.back().factor *= loop.factor;
    else
      mapping.loops.push_back(loop);
    outer_moves_nothing = moves_nothing;
    outer_is_fixed = fixed;
  });
  return mapping;
}

}  // namespace nestor::cim
