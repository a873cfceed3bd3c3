// Templates of branch.h: generation of the children of a label, and conversion of a finished search to a
// mapping. model/pim/space includes this file.
#pragma once

#include <algorithm>

#include "model/pim/search/branch.h"

namespace nestor::pim {

// Visits the possible factors of the next loop: any remaining factor or, until all prescribed loops are
// placed, a factor of the current prescribed loop.
template <typename Visit>
void PimBranch::each_step(const Label& label, Visit visit) const {
  const auto& wanted = problem_->constraints.outer_loops;
  const bool prescribed = label.fixed < wanted.size();
  const Int left = prescribed && label.fixed_left == 1 ? wanted[label.fixed].factor : label.fixed_left;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (prescribed && index_of(wanted[label.fixed].dim) != d) continue;
    if (unsettles(label, static_cast<Dim>(d))) continue;
    const FactorLattice& lattice = lattices_[d];
    for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
      const LatticeNode one = lattice.stride(k);
      if (label.node[d] < one || !lattice.can_multiply(static_cast<LatticeNode>(label.node[d] - one), k))
        continue;
      if (prescribed && left % lattice.factor(k) != 0) continue;
      visit(d, k, prescribed ? left / lattice.factor(k) : 1);
    }
  }
}

template <typename Emit>
double PimBranch::expand(const Label& label, double from, double below, double cut, Emit emit) const {
  double least_beyond = infinite;
  children_.clear();
  const auto emit_all = [&] {
    std::stable_sort(children_.begin(), children_.end(), [](const Child& a, const Child& b) {
      return a.bound < b.bound || (a.bound == b.bound && a.load < b.load);
    });
    for (const Child& child : children_) emit(child.label, child.bound);
    return least_beyond;
  };
  std::array<Outside, operand_count> outside;
  for (const Operand operand : all_operands)
    outside[index_of(operand)] = this->outside(problem_->layer, label.node, operand);
  std::array<TableIndex, operand_count> index = indices(label.node);

  // Emits the children of one step for all combinations of moves. `stepped` already includes the placed loop.
  const auto combine_moves = [&](const Label& stepped, std::array<Moves, operand_count>& moves) {
    const bool completes = stepped.placed == factors_;
    const double limit = completes ? cut : below;
    for (Move& i : moves[0])
      for (Move& w : moves[1])
        for (Move& o : moves[2]) {
          const Int latency = std::max(stepped.latency, whole_cycles(std::max({i.peak, w.peak, o.peak})));
          const double energy = stepped.energy + i.energy + i.energy_ahead + w.energy + w.energy_ahead +
                                o.energy + o.energy_ahead;
          double bound = std::max(label.floor, combine(latency, needs_energy_ ? energy : 0));
          if (has_joint_ && bound < limit)
            bound = std::max(bound, combine(latency, energy_after(stepped, {&i, &w, &o}, index, outside)));
          Label child = stepped;
          if (bound < limit) {
            if (!carry_out(child, {&i, &w, &o}, index, outside, limit)) continue;
            bound = std::max(label.floor, bound_of(child, index, outside));
          }
          child.floor = bound;
          if (bound >= limit)
            least_beyond = std::min(least_beyond, bound);
          else if (completes || bound >= from)
            children_.push_back({bound, child.load + load_ahead(child, index, outside), child});
        }
  };

  if (!label.started) {
    Label stepped = label;
    stepped.started = true;
    std::array<Moves, operand_count> moves;
    for (std::size_t x = 0; x < operand_count; ++x)
      list_moves(label, x, index[x], outside[x], true, moves[x]);
    combine_moves(stepped, moves);
    return emit_all();
  }
  const auto index_now = index;
  const auto outside_now = outside;
  each_step(label, [&](std::size_t d, std::size_t k, Int prescribed_left) {
    const FactorLattice& lattice = lattices_[d];
    const LatticeNode one = lattice.stride(k);
    Label stepped = label;
    if (!place(stepped, d, k, prescribed_left)) return;
    std::array<Moves, operand_count> moves;
    for (std::size_t x = 0; x < operand_count; ++x) {
      const bool relevant = problem_->layer.is_relevant(static_cast<Dim>(d), static_cast<Operand>(x));
      outside[x] = outside_now[x];
      (relevant ? outside[x].relevant : outside[x].irrelevant) *= lattice.factor(k);
      index[x] = index_now[x] - one * tables_[x]->stride(d);
      if (counts_rows_ && !hybrid_ && in_dram(stepped, x))
        stepped.opened[x] = std::max(stepped.opened[x], outside[x].relevant * outside[x].irrelevant *
                                                            tables_[x]->swept_rows(index[x]));
      list_moves(stepped, x, index[x], outside[x], relevant && prescribed_left == 1, moves[x]);
    }
    combine_moves(stepped, moves);
  });
  return emit_all();
}

template <typename Search>
PimMapping PimBranch::solution(const Search& search) const {
  PimMapping mapping;
  mapping.nest.spatial = spatial_;
  FixedVector<Loop, max_loops> innermost_first;
  std::uint8_t fixed_inside = 0;
  search.walk_back([&](const Label& parent, const Label& child) {
    if (!parent.started) return;
    std::size_t d = 0;
    while (parent.node[d] == child.node[d]) ++d;
    Loop loop{.dim = static_cast<Dim>(d),
              .factor = lattices_[d].value(parent.node[d]) / lattices_[d].value(child.node[d])};
    for (std::size_t x = 0; x < operand_count; ++x) loop.at[x] = chains_[x][parent.at[x]];
    const bool joins = !innermost_first.empty() && parent.at == child.at && child.fixed == parent.fixed &&
                       fixed_inside == parent.fixed && innermost_first.back().dim == loop.dim;
    fixed_inside = parent.fixed;
    if (joins)
      innermost_first.back().factor *= loop.factor;
    else
      innermost_first.push_back(loop);
  });
  for (std::size_t i = innermost_first.size(); i-- > 0;) mapping.nest.loops.push_back(innermost_first[i]);
  if (problem_->table) mapping.stored = stored_pairs(*problem_);
  choose_layouts(*problem_, mapping, rows_);
  return mapping;
}

}  // namespace nestor::pim
