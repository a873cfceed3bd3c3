#include "model/cim/search/inward_table.h"

#include <algorithm>

namespace nestor::cim {

std::size_t InwardTable::bytes_needed(const OperandTable& table) {
  return table.count() * table.chain_length() * width_of(table) * sizeof(double) + alignof(double);
}

// A jump inward, from chain position `from` to `to`, while `relevant` iterations of relevant loops are
// outside.
InwardTable::Cost InwardTable::jump(const OperandTable& table, TableIndex index, std::size_t from,
                                    std::size_t to, Int relevant) {
  const bool output = table.operand() == Operand::O;
  const Int out = output ? relevant : 0;
  const Int in = output ? 0 : relevant;
  const auto cost = [&](Int inward, bool complete) {
    return table.transfer_cost(index, to, from, out, inward, table.moved_width(complete));
  };
  if (!output) return {cost(in, true)};
  return {cost(in, true), cost(in, false), cost(relevant, false)};
}

// From the empty content upwards: placing a loop is free, a jump pays for its transfer.
bool InwardTable::build(const Problem& problem, const OperandTable& table, Arena& arena, Arena& scratch) {
  chain_ = table.chain_length();
  width_ = width_of(table);
  const std::size_t count = table.count();
  const std::size_t row = chain_ * width_;
  double* costs = arena.allocate<double>(count * row);
  double* arrived = scratch.allocate<double>(count * row);  // a loop was just placed: the operand may jump
  if (costs == nullptr || arrived == nullptr) return false;
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count; ++i, step_up(table.lattices(), node)) {
    const auto index = static_cast<TableIndex>(i);
    std::array<double, 3 * max_memories> going_on;
    std::fill_n(going_on.begin(), row, infinite);
    if (i == 0) std::fill_n(going_on.begin() + row - width_, width_, 0.0);
    Int relevant = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = table.lattice(d);
      relevant *= lattice.remaining(node[d]);
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        const LatticeNode stride = lattice.stride(k);
        if (node[d] < stride || !lattice.can_multiply(static_cast<LatticeNode>(node[d] - stride), k))
          continue;
        const double* next = &arrived[(i - std::size_t{stride} * table.stride(d)) * row];
        for (std::size_t j = 0; j < row; ++j) going_on[j] = std::min(going_on[j], next[j]);
      }
    }
    std::copy_n(going_on.begin(), row, costs + i * row);
    std::copy_n(going_on.begin(), row, arrived + i * row);
    for (std::size_t to = 1; to < chain_; ++to) {
      const double* later = &going_on[to * width_];
      if (*std::min_element(later, later + width_) == infinite || !table.fits(problem, index, to)) continue;
      for (std::size_t c = 0; c < to; ++c) {
        if (!table.may_jump(to, c)) continue;
        const Cost cost = jump(table, index, c, to, relevant);
        double* best = arrived + i * row + c * width_;
        for (std::size_t k = 0; k < width_; ++k) best[k] = std::min(best[k], later[k] + cost[k]);
      }
    }
  }
  costs_ = costs;
  return true;
}

}  // namespace nestor::cim
