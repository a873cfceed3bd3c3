// Moves of an operand below a loop, and their costs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/pim/rows/hybrid_rows.h"
#include "model/pim/search/branch.h"

namespace nestor::pim {

bool PimBranch::may_enter(const Label& stepped, std::size_t x, std::size_t to) const {
  const TransferTable& table = *tables_[x];
  if (!table.may_jump(to, stepped.at[x])) return false;
  const std::size_t first = table.stops_everywhere() ? stepped.at[x] + std::size_t{1} : to;
  return problem_->machine.blocks == BlockRule::uneven || stepped.sealed == 0 ||
         table.memory(first) > stepped.sealed;
}

// True if a loop over `dim` would be outside the innermost block of a stationary operand to which it is
// irrelevant.
bool PimBranch::unsettles(const Label& label, Dim dim) const {
  for (const Operand operand : all_operands)
    if (problem_->constraints.stationary.contains(operand) && !problem_->layer.is_relevant(dim, operand) &&
        label.at[index_of(operand)] != tables_[index_of(operand)]->innermost())
      return true;
  return false;
}

// Jumps are listed before the move that stays, because the search expands equally promising children in this
// order, and a jump below this loop moves a larger tile than a later jump.
void PimBranch::list_moves(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside,
                           bool may_jump, Moves& moves) const {
  const TransferTable& table = *tables_[x];
  const std::size_t at = stepped.at[x];
  const auto add = [&](std::size_t to) {
    Move move{.to = static_cast<std::uint8_t>(to)};
    if (table.energy(index, to, outside.irrelevant) == infinite) return;
    const bool opens = at == 0 && has_rows_[x] && counts_rows_ && !hybrid_;
    const Int rows = !opens ? 0 : to == at ? stepped.opened[x] : row_floor(stepped, x, index, outside);
    if (needs_energy_) move.energy_ahead = energy_ahead(x, index, to, outside.irrelevant, rows);
    if (needs_latency_ && problem_->techniques.stream)
      move.peak = table.busiest(index, to, outside.irrelevant);
    if (needs_latency_ && to != at) {
      const Int cycles = port_cycles(x, index, at, outside) + rows * memory(x, 0).activation_cycles;
      move.peak = std::max(move.peak, static_cast<double>(cycles));
    }
    if (needs_energy_ && to != at) move.energy = jump_energy(x, index, at, to, outside);
    moves.push_back(move);
  };
  if (may_jump)
    for (std::size_t to = table.chain_length(); --to > at;)
      if (may_enter(stepped, x, to)) add(to);
  add(at);
}

Int PimBranch::element_width(std::size_t x, const Outside& outside) const {
  return problem_->layer.bits.of(static_cast<Operand>(x), outside.irrelevant > 1);
}

// Returns the energy of moving a content inward, memory by memory (docs/models/pim.md, section 4).
double PimBranch::jump_energy(std::size_t x, TableIndex index, std::size_t from, std::size_t to,
                              const Outside& out) const {
  const TransferTable& table = *tables_[x];
  double energy = 0;
  for (std::size_t c = from; c < to;) {
    const std::size_t next = table.stops_everywhere() ? c + 1 : to;
    energy += table.transfer_energy(*problem_, index, c, next, out);
    c = next;
  }
  return energy * home_lanes_[x];
}

Int PimBranch::port_cycles(std::size_t x, TableIndex index, std::size_t from, const Outside& out) const {
  const bool output = static_cast<Operand>(x) == Operand::O;
  const Int unique = tables_[x]->elements(index, from) * element_width(x, out);
  const Int times = out.relevant * out.irrelevant;
  return pim::port_cycles(memory(x, from), (output ? times - out.relevant : times) * unique,
                          output ? times * unique : 0);
}

RowWalk PimBranch::row_walk(const Path& path, const std::array<LatticeNode, dim_count>& inside, std::size_t x,
                            Int width) const {
  const auto operand = static_cast<Operand>(x);
  const Memory& dram = memory(x, 0);
  Extents extents = times(below_dram_[x], factors_of(inside, lattices_));
  RowWalk walk{.operand = operand,
               .planes = has_planes(problem_->layer, operand),
               .size = {},
               .tile = tile_box(problem_->layer, operand, extents),
               .loops = {},
               .row_elements = dram.row / width,
               .banks = dram.banks};
  FixedVector<VisitLoop, max_loops> innermost_first;
  for (std::size_t i = path.size(); i-- > 0;) {
    const std::size_t d = path.dim(i);
    const Int count = lattices_[d].factor(path.factor(i));
    innermost_first.push_back(visit_loop(problem_->layer, operand, static_cast<Dim>(d), count, extents[d]));
    extents[d] *= count;
  }
  for (std::size_t i = innermost_first.size(); i-- > 0;) walk.loops.push_back(innermost_first[i]);
  walk.size = tile_box(problem_->layer, operand, extents);
  return walk;
}

Int PimBranch::row_floor(const Label& stepped, std::size_t x, TableIndex index,
                         const Outside& outside) const {
  const Int visits = outside.relevant * outside.irrelevant;
  const bool output = static_cast<Operand>(x) == Operand::O;
  const Int passes = output ? 2 * visits - outside.relevant : visits;
  return std::max({passes * tables_[x]->rows(index), stepped.opened[x],
                   row_floor_[x].activations(stepped.path, lattices_, problem_->layer)});
}

Int PimBranch::activations(const Label& stepped, std::size_t x, TableIndex index, const Outside& outside,
                           Int cycles, Int idle, double limit) const {
  const auto operand = static_cast<Operand>(x);
  const Memory& dram = memory(x, 0);
  const bool exact = idle <= cycles || dram.activation_cycles == 0;
  const Int enough = exact ? 0 : (idle - cycles) / dram.activation_cycles;
  Int too_many = std::numeric_limits<Int>::max();
  constexpr double any = 1e15;
  // Rows that cost no energy are relevant only up to the latency limit, or up to a latency whose cost reaches
  // `limit`.
  const bool free_of_energy = !needs_energy_ || dram.activation_energy == 0;
  double most = problem_->objective.kind == ObjectiveKind::latency ? limit : infinite;
  if (problem_->constraints.limits_latency())
    most = std::min(most, static_cast<double>(problem_->constraints.max_latency) + 1);
  if (free_of_energy && dram.activation_cycles > 0 && most < any) {
    const Int left = static_cast<Int>(std::ceil(most)) - dram.access_latency - cycles;
    too_many = std::max(enough + 1, ceil_divide(std::max<Int>(left, 0), dram.activation_cycles));
  }
  std::string walk;
  const auto write = [&walk](Int value) { walk.append(reinterpret_cast<const char*>(&value), sizeof value); };
  write(static_cast<Int>(x));
  for (std::size_t d = 0; d < dim_count; ++d)
    if (problem_->layer.is_relevant(static_cast<Dim>(d), operand))
      write(lattices_[d].value(stepped.node[d]) * below_dram_[x][d]);
  each_seen_loop(stepped.path, lattices_, problem_->layer, operand, [&](std::size_t dim, Int count) {
    write(static_cast<Int>(dim));
    write(count);
  });
  return problem_->row_memo->fewest(
      walk, [&] { return row_walk(stepped.path, stepped.node, x, element_width(x, outside)); },
      problem_->layouts, row_floor(stepped, x, index, outside), enough, too_many, rows_);
}

bool PimBranch::place(Label& stepped, std::size_t dim, std::size_t factor, Int prescribed_left) const {
  const auto added = static_cast<Dim>(dim);
  stepped.node[dim] = static_cast<LatticeNode>(stepped.node[dim] - lattices_[dim].stride(factor));
  ++stepped.placed;
  if (counts_rows_) stepped.path.push(dim, factor);
  if (stepped.fixed < problem_->constraints.outer_loops.size()) {
    stepped.fixed_left = prescribed_left;
    if (prescribed_left == 1) ++stepped.fixed;
  }
  for (std::size_t x = 0; x < operand_count; ++x)
    if (stepped.at[x] != 0 && problem_->layer.is_relevant(added, static_cast<Operand>(x)))
      stepped.sealed = std::max(stepped.sealed, static_cast<std::uint8_t>(tables_[x]->memory(stepped.at[x])));
  if (!problem_->layer.is_reduction(added) || stepped.pending == 0) return true;
  if (problem_->layer.bits.output <= problem_->layer.bits.partial_sum) return keep_pending(stepped);
  stepped.pending = 0;  // partial sums are narrower, and their width is already included
  return true;
}

bool PimBranch::keep_pending(Label& child) const {
  if (child.pending == 0) return true;
  const auto output = index_of(Operand::O);
  const std::size_t entered = tables_[output]->memory(child.at[output]);
  if (slot_[entered] == no_slot || !shared_[slot_[entered]].limits)
    return false;  // pending is nonzero only if the larger block does not fit
  child.taken[slot_[entered]] += child.pending;
  child.pending = 0;
  return true;
}

// Reserves the bits of the content in every memory at which the jump stops. Returns false if one of these
// memories is too small.
bool PimBranch::take_room(Label& child, std::size_t x, TableIndex index, std::size_t from, std::size_t to,
                          const Outside& outside) const {
  const TransferTable& table = *tables_[x];
  const BitWidths& bits = problem_->layer.bits;
  const bool output = static_cast<Operand>(x) == Operand::O;
  for (std::size_t c = table.stops_everywhere() ? from + 1 : to; c <= to; ++c) {
    const Memory& entered = memory(x, c);
    const std::uint8_t slot = slot_[table.memory(c)];
    const bool meets = slot != no_slot && shared_[slot].limits;
    const bool sums =
        output && (c == table.innermost() || outside.irrelevant > 1 || table.setup().reduced_above[c]);
    const Int width = bits.of(static_cast<Operand>(x), sums);
    Int taken = table.elements(index, c) * width;
    if (output) child.pending = 0;
    if (output && c == to && !sums && bits.partial_sum != bits.output) {
      // The loops up to the next jump determine whether sums are partial or final.
      const Int least = table.elements(index, c) * bits.narrowest(Operand::O);
      const Int most = table.elements(index, c) * bits.widest(Operand::O);
      taken = least;
      if (meets || most > entered.capacity) child.pending = most - least;
    }
    if (taken > entered.capacity) return false;
    if (meets) child.taken[slot] += taken;
  }
  return true;
}

void PimBranch::take_cycles(Label& child, std::size_t x, std::size_t from, Int cycles) const {
  const std::uint8_t slot = slot_[tables_[x]->memory(from)];
  if (slot != no_slot && shared_[slot].turns) cycles = child.busy[slot] += cycles;
  child.latency = std::max(child.latency, cycles + memory(x, from).access_latency);
}

// Returns false if a memory overflows. Clears the entries that no operand can change any more.
bool PimBranch::close_shared_memories(Label& child) const {
  const auto output = index_of(Operand::O);
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    const CouplingMemory& shared = shared_[s];
    if (shared.limits && child.taken[s] > problem_->machine.memories[shared.memory].capacity) return false;
    bool filling = shared.operands.contains(Operand::O) && child.pending > 0 &&
                   child.at[output] == shared.position[output];
    bool serving = false;
    for (std::size_t x = 0; x < operand_count; ++x) {
      if (!shared.operands.contains(static_cast<Operand>(x))) continue;
      filling |= child.at[x] < shared.position[x];
      serving |= child.at[x] <= shared.position[x] && shared.position[x] != tables_[x]->innermost();
      serving |= child.left[x] != 0 && shared.position[x] == 0;
    }
    if (!filling) child.taken[s] = 0;
    if (!serving) child.busy[s] = 0;
  }
  return true;
}

PimBranch::Departure PimBranch::departure(const Label& label, std::size_t x) const {
  Departure left{.node = label.node, .path = label.path, .outside = {}};
  const auto operand = static_cast<Operand>(x);
  const std::size_t count = label.left[x] - std::size_t{1};
  for (std::size_t i = 0; i < label.path.size(); ++i) {
    const std::size_t d = label.path.dim(i);
    const std::size_t k = label.path.factor(i);
    const bool seen = problem_->layer.is_relevant(static_cast<Dim>(d), operand);
    const Int factor = lattices_[d].factor(k);
    if (i < count) {
      (seen ? left.outside.relevant : left.outside.irrelevant) *= factor;
      continue;
    }
    left.node[d] = static_cast<LatticeNode>(left.node[d] + lattices_[d].stride(k));
    if (!seen) left.buffered *= factor;
  }
  left.path.cut(count);
  return left;
}

Int PimBranch::hybrid_rows(const Departure& departure, std::size_t x, Int buffered) const {
  const RowWalk walk = row_walk(departure.path, departure.node, x, element_width(x, departure.outside));
  return hybrid_layout(problem_->layer, walk, problem_->layouts, buffered).activations;
}

void PimBranch::add_hybrid_rows(Label& child, std::size_t x) const {
  const Departure left = departure(child, x);
  child.left[x] = 0;
  if (left.buffered == 1) return;
  const Memory& dram = memory(x, 0);
  const Int rows = hybrid_rows(left, x, left.buffered);
  const Int more = rows - hybrid_rows(left, x, 1);
  const Int cycles = more * dram.activation_cycles;
  if (needs_energy_) child.energy += activation_energy(x, more);
  if (!needs_latency_) return;
  const std::uint8_t slot = slot_[tables_[x]->memory(0)];
  if (slot != no_slot && shared_[slot].turns) {
    take_cycles(child, x, 0, cycles);
    return;
  }
  const Int moved = port_cycles(x, tables_[x]->index(left.node), 0, left.outside);
  take_cycles(child, x, 0, moved + rows * dram.activation_cycles);
}

bool PimBranch::carry_out(Label& child, const MovePerOperand& moves,
                          const std::array<TableIndex, operand_count>& index,
                          const std::array<Outside, operand_count>& outside, double limit) const {
  const Label stepped = child;
  const bool final_is_wider = problem_->layer.bits.output > problem_->layer.bits.partial_sum;
  for (std::size_t x = 0; x < operand_count; ++x) {
    Move& move = *moves[x];
    const std::size_t at = stepped.at[x];
    if (move.to == at) continue;
    const bool output = static_cast<Operand>(x) == Operand::O;
    if (output && final_is_wider && !keep_pending(child)) return false;  // the sums are final
    const TransferTable& table = *tables_[x];
    if (child.left[x] != 0) add_hybrid_rows(child, x);
    for (std::size_t c = at; c < move.to;) {
      Int cycles = port_cycles(x, index[x], c, outside[x]);
      if (c == 0 && has_rows_[x] && counts_rows_) {
        const std::uint8_t slot = slot_[table.memory(0)];
        const bool counted =
            (slot != no_slot && shared_[slot].turns) || (needs_energy_ && memory(x, 0).activation_energy > 0);
        const Int idle = counted ? 0 : stepped.latency - memory(x, 0).access_latency;
        if (hybrid_ && move.activations < 0) {
          Departure now;
          now.node = stepped.node;
          now.path = stepped.path;
          now.outside = outside[x];
          move.activations = hybrid_rows(now, x, 1);
        }
        if (move.activations < 0)
          move.activations = activations(stepped, x, index[x], outside[x], cycles, idle, limit);
        cycles += move.activations * memory(x, 0).activation_cycles;
        if (needs_energy_) child.energy += activation_energy(x, move.activations);
      }
      if (needs_latency_) take_cycles(child, x, c, cycles);
      child.load += static_cast<double>(cycles);
      c = table.stops_everywhere() ? c + 1 : move.to;
    }
    if (!take_room(child, x, index[x], at, move.to, outside[x])) return false;
    const std::size_t next = next_to_dram(x, move.to);
    if (hybrid_ && at == 0 && has_rows_[x] && counts_rows_ && move.to == next && next != table.innermost())
      child.left[x] = static_cast<std::uint8_t>(stepped.path.size() + 1);
    child.at[x] = move.to;
    child.energy += move.energy;
  }
  if (!close_shared_memories(child)) return false;
  bool dram = false;
  for (std::size_t x = 0; x < operand_count; ++x) dram |= in_dram(child, x) || child.left[x] != 0;
  if (!dram || !counts_rows_) child.path.clear();
  return true;
}

}  // namespace nestor::pim
