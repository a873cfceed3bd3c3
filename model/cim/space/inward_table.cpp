#include "model/cim/space/inward_table.h"

#include <algorithm>

namespace nestor::cim {

InwardTable::Cost InwardTable::Cost::least(const Cost& other) const {
  return {std::min(once, other.once), std::min(first, other.first), std::min(more, other.more)};
}

InwardTable::Cost InwardTable::Cost::plus(const Cost& other) const {
  return {once + other.once, first + other.first, more + other.more};
}

std::size_t InwardTable::bytes_needed(const OperandTable& table) {
  return table.count() * table.chain_length() * sizeof(Cost) + alignof(Cost);
}

// A jump inward, from chain position `from` to `to`, while `relevant` iterations of relevant loops are outside.
InwardTable::Cost InwardTable::jump(const OperandTable& table, TableIndex index, std::size_t from, std::size_t to,
                                    Int relevant) const {
  const bool output = table.operand() == Operand::O;
  const Int out = output ? relevant : 0;
  const Int in = output ? 0 : relevant;
  return {.once = table.transfer_cost(index, to, from, out, in, table.moved_width(true)),
          .first = table.transfer_cost(index, to, from, out, in, table.moved_width(false)),
          .more = table.transfer_cost(index, to, from, out, relevant, table.moved_width(false))};
}

// From the empty content upwards: placing a loop is free, a jump pays for its transfer.
bool InwardTable::build(const Problem& problem, const OperandTable& table, Arena& arena, Arena& scratch) {
  chain_ = table.chain_length();
  const std::size_t count = table.count();
  Cost* costs = arena.allocate<Cost>(count * chain_);
  Cost* arrived = scratch.allocate<Cost>(count * chain_);  // a loop was just placed: the operand may jump
  if (costs == nullptr || arrived == nullptr) return false;
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<TableIndex>(i);
    std::array<Cost, max_memories> going_on{};
    if (i == 0) going_on[chain_ - 1] = {0, 0, 0};
    Int relevant = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const FactorLattice& lattice = table.lattice(d);
      relevant *= lattice.remaining(node[d]);
      for (std::size_t k = 0; k < lattice.factor_count(); ++k) {
        const LatticeNode stride = lattice.stride(k);
        if (node[d] < stride || !lattice.can_multiply(static_cast<LatticeNode>(node[d] - stride), k)) continue;
        const Cost* next = &arrived[(i - std::size_t{stride} * table.stride(d)) * chain_];
        for (std::size_t c = 0; c < chain_; ++c) going_on[c] = going_on[c].least(next[c]);
      }
    }
    for (std::size_t c = 0; c < chain_; ++c) {
      costs[i * chain_ + c] = going_on[c];
      Cost best = going_on[c];
      for (std::size_t to = c + 1; to < chain_; ++to)
        if (table.may_jump(to, c) && table.fits(problem, index, to))
          best = best.least(jump(table, index, c, to, relevant).plus(going_on[to]));
      arrived[i * chain_ + c] = best;
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
