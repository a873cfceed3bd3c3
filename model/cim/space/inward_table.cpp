#include "model/cim/space/inward_table.h"

#include <algorithm>

namespace nestor::cim {

void InwardTable::improve(Cost& best, const double* more, const Cost& added, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) best[k] = std::min(best[k], more[k] + added[k]);
}

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
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<TableIndex>(i);
    std::array<Cost, max_memories> going_on;
    going_on.fill(never);
    if (i == 0) going_on[chain_ - 1] = {0, 0, 0};
    Int relevant = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = table.lattice(d);
      relevant *= lattice.remaining(node[d]);
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        const LatticeNode stride = lattice.stride(k);
        if (node[d] < stride || !lattice.can_multiply(static_cast<LatticeNode>(node[d] - stride), k))
          continue;
        const double* next = &arrived[(i - std::size_t{stride} * table.stride(d)) * row];
        for (std::size_t c = 0; c < chain_; ++c) improve(going_on[c], next + c * width_, {}, width_);
      }
    }
    for (std::size_t c = 0; c < chain_; ++c) {
      Cost best = going_on[c];
      for (std::size_t to = c + 1; to < chain_; ++to)
        if (table.may_jump(to, c) && table.fits(problem, index, to))
          improve(best, going_on[to].data(), jump(table, index, c, to, relevant), width_);
      for (std::size_t k = 0; k < width_; ++k) {
        costs[i * row + c * width_ + k] = going_on[c][k];
        arrived[i * row + c * width_ + k] = best[k];
      }
    }
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != table.lattice(d).last()) {
        ++node[d];
        break;
      }
      node[d] = 0;
    }
  }
  costs_ = costs;
  return true;
}

}  // namespace nestor::cim
