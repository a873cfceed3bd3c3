#include "model/cim/search/operand_table.h"

#include <algorithm>
#include <limits>

#include "model/loopnest/tiles.h"

namespace nestor::cim {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

std::size_t OperandTable::bytes_needed(const OperandSetup& setup) {
  std::size_t count = 1;
  std::size_t bytes = alignof(Entry);
  for (const FactorSet& set : setup.temporal) {
    count *= FactorLattice::size_of(set);
    bytes += FactorLattice::bytes_needed(set);
  }
  return bytes + count * setup.chain.size() * sizeof(Entry);
}

bool OperandTable::build(const Problem& problem, const OperandSetup& setup, Arena& arena, bool bounds) {
  setup_ = setup;
  count_ = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!lattices_[d].build(setup.temporal[d], arena)) return false;
    strides_[d] = problem.layer.is_relevant(static_cast<Dim>(d), setup.operand) ? static_cast<TableIndex>(count_) : 0;
    count_ *= lattices_[d].size();
    if (count_ > std::numeric_limits<TableIndex>::max() / max_memories) return false;
  }
  entries_ = arena.allocate<Entry>(count_ * setup.chain.size());
  if (entries_ == nullptr) return false;

  const BitWidths& bits = problem.layer.bits;
  final_width_ = bits.of(setup.operand);
  open_width_ = setup.operand == Operand::O ? bits.partial_sum : final_width_;
  energy_ = problem.objective.additive_is_energy();
  jump_targets_ = jump_targets(problem.constraints, setup);
  for (std::size_t c = 0; c < setup.chain.size(); ++c) {
    const Memory& memory = problem.machine.memories[setup.chain[c]];
    read_cost_[c] = memory.read_energy * static_cast<double>(setup.lanes_above[c]);
    write_cost_[c] = memory.write_energy * static_cast<double>(setup.lanes_above[c]);
    residence_weight_[c] =
        energy_ || c == 0 ? 0 : -problem.objective.additive_weight * static_cast<double>(setup.chain[c]);
  }
  fill_sizes(problem);
  if (bounds) fill_bounds(problem);
  return true;
}

Int OperandTable::stored_width(std::size_t position, bool complete) const {
  const bool open = position == innermost() || setup_.reduced_above[position] || !complete;
  return open ? open_width_ : final_width_;
}

double OperandTable::transfer_cost(TableIndex index, std::size_t from, std::size_t source, Int outward,
                                   Int inward, Int width) const {
  if (!energy_) return 0;
  const Int copied_width = setup_.reduced_above[from] ? open_width_ : width;
  const auto unique = static_cast<double>(entry(index, source).elements * width);
  const auto copies = static_cast<double>(entry(index, from).elements * copied_width);
  return static_cast<double>(inward) * (unique * read_cost_[source] + copies * write_cost_[from]) +
         static_cast<double>(outward) * (copies * read_cost_[from] + unique * write_cost_[source]);
}

// Elements and transfer times of every content under every memory.
void OperandTable::fill_sizes(const Problem& problem) {
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t index = 0; index < count_; ++index) {
    for (std::size_t c = 0; c < chain_length(); ++c) {
      Extents extents = setup_.below[c];
      for (std::size_t d = 0; d < dim_count; ++d) extents[d] *= lattices_[d].value(node[d]);
      Entry& entry = entries_[index * chain_length() + c];
      entry = {};
      entry.elements = elements(problem.layer, setup_.operand, extents);
      const Int bandwidth = problem.machine.memories[setup_.chain[c]].bandwidth;
      entry.cycles = ceil_divide(entry.elements * final_width_, bandwidth);
      entry.open_cycles = ceil_divide(entry.elements * open_width_, bandwidth);
    }
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != lattices_[d].last()) {
        ++node[d];
        break;
      }
      node[d] = 0;
    }
  }
}

bool OperandTable::fits(const Problem& problem, TableIndex index, std::size_t position) const {
  return position == 0 || entry(index, position).elements * stored_width(position, true) <=
                              problem.machine.memories[setup_.chain[position]].capacity;
}

double OperandTable::relaxed_jump_cost(TableIndex index, std::size_t from, std::size_t to,
                                       Int remaining) const {
  const bool output = setup_.operand == Operand::O;
  // The widest stored size is the safe one for eq14's negative weights.
  const double residence = residence_cost(from, entry(index, from).elements * open_width_);
  return residence +
         transfer_cost(index, from, to, output ? remaining : 0, output ? 0 : remaining, final_width_);
}

// Eq14's sizes are negative, so that no bound at all would be none: nothing is left out there.
void OperandTable::leave_out(const Techniques& techniques, Entry& entry) const {
  if (!techniques.transfers) entry.transfers = 0;
  if (!techniques.stream) entry.stream = 0;
  if (!techniques.additive && energy_) entry.additive = 0;
}

// From the full content downwards: growing inside a block is free, a jump pays for its transfer. The stream
// of the stall model: a jump with transfer T at r remaining iterations has L >= T, so T * (r - 1) follows it
// in the steady part; with all transfers, which come first, that is T * r and the others' T. Of miredo: T * r
// of the jump home, of O with the rounds that it adds.
void OperandTable::fill_bounds(const Problem& problem) {
  struct Rest {
    double additive = infinite;
    Int transfers = unreachable;
    Int stream = unreachable;
  };
  const bool stall = problem.objective.latency_model == LatencyModel::stall;
  const std::size_t chain = chain_length();
  std::array<LatticeNode, dim_count> node{};
  for (std::size_t d = 0; d < dim_count; ++d) node[d] = lattices_[d].last();
  for (std::size_t i = count_; i-- > 0;) {
    const auto index = static_cast<TableIndex>(i);
    std::array<Rest, max_memories> grown{};
    Int remaining = 1;
    Int longest = 1;  // that one loop can be
    for (std::size_t d = 0; d < dim_count; ++d) {
      remaining *= lattices_[d].remaining(node[d]);
      longest = std::max(longest, lattices_[d].remaining(node[d]));
      for (std::size_t k = 0; k < lattices_[d].factor_count(); ++k) {
        if (!lattices_[d].can_multiply(node[d], k)) continue;
        const Entry* next = &entries_[(i + std::size_t{lattices_[d].stride(k)} * strides_[d]) * chain];
        for (std::size_t c = 0; c < chain; ++c) {
          grown[c].additive = std::min(grown[c].additive, next[c].additive);
          grown[c].transfers = std::min(grown[c].transfers, next[c].transfers);
          grown[c].stream = std::min(grown[c].stream, next[c].stream);
        }
      }
    }
    const bool full = i + 1 == count_;
    const Int home_rounds = setup_.operand == Operand::O ? remaining + remaining / longest : remaining;
    for (std::size_t c = 0; c < chain; ++c) {
      Entry& entry = entries_[i * chain + c];
      Rest best = grown[c];
      if (full && may_end(c)) {
        best = {.additive = c == 0 ? 0.0 : relaxed_jump_cost(index, c, 0, 1),
                .transfers = c == 0 ? 0 : entries_[i * chain].cycles,
                .stream = c == 0 ? 0 : entries_[i * chain].cycles};
      }
      for (std::size_t to = 0; to < c && !full; ++to) {
        if (!may_jump(c, to)) continue;
        const Int cycles = entries_[i * chain + to].cycles;
        best.additive =
            std::min(best.additive, relaxed_jump_cost(index, c, to, remaining) + grown[to].additive);
        best.transfers = std::min(best.transfers, cycles + grown[to].transfers);
        // Stall: max(b, b') + t + t' with the rest's least t' and least b' + t'. Miredo: see latency_bound.
        const Int stream = stall
                               ? std::max(cycles * remaining + grown[to].transfers, cycles + grown[to].stream)
                               : std::max(to == 0 ? cycles * home_rounds : 0, grown[to].stream);
        best.stream = std::min(best.stream, stream);
      }
      if (!fits(problem, index, c)) best = {};
      entry.additive = best.additive;
      entry.transfers = std::min(best.transfers, unreachable);
      entry.stream = std::min(best.stream, unreachable);
      if (best.transfers < unreachable) leave_out(problem.techniques, entry);
    }
    for (std::size_t d = 0; d < dim_count; ++d) {
      if (node[d] != 0) {
        --node[d];
        break;
      }
      node[d] = lattices_[d].last();
    }
  }
}

}  // namespace nestor::cim
