// The templates of inward_branch.h: generating the children of a label, and reading a mapping off a finished
// search. Included by inward_branch.h only.
#pragma once

#include <algorithm>

#include "model/cim/search/inward_branch.h"

namespace nestor::cim {

template <typename Emit>
double InwardBranch::expand(const Label& label, double from, double below, double cut, Emit emit) const {
  double least_beyond = infinite;
  // Emits the children of one step for all combinations of moves; `stepped` has its loop placed already.
  const auto combine = [&](const Label& stepped, const std::array<Moves, operand_count>& moves) {
    const bool completes = stepped.placed == factors_;
    Trio trio{};
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
          trio = {&i, &w, &o};
          if (carry_out(child, trio)) emit(child, bound);
        }
  };

  const auto index = table_indices(label.node);
  std::array<Outside, operand_count> outside_now;
  for (const Operand operand : all_operands) outside_now[index_of(operand)] = outside(label.node, operand);
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
    for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
      const LatticeNode one = lattice.stride(k);
      if (label.node[d] < one || !lattice.can_multiply(static_cast<LatticeNode>(label.node[d] - one), k))
        continue;
      Label stepped = label;
      stepped.node[d] = static_cast<LatticeNode>(label.node[d] - one);
      ++stepped.placed;
      if (problem_->layer.is_reduction(dim) && !settle_pending(stepped)) continue;
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
  bool mirrored = false;       // whether this step's frame is the mirror of the complete label's
  bool inner_follows = false;  // nothing moves between this loop and the one just inside
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

}  // namespace nestor::cim
