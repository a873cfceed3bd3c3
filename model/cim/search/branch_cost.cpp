// What labels cost: the bound of a child before it is built, the recursion of model-cim's Table III for one
// more loop, the normal form of labels, and the exact cost of a complete one.
#include <algorithm>

#include "model/cim/search/branch.h"

namespace nestor::cim {
// The bound of a child before it is built: a loop of n iterations with period L makes the steady part
// (n-1) * L and M = L * n, so that what remains is at least L * (rest - 1) in all. For miredo, P_O grows by
// at least as much, and feasible_bound adds the rest.
Branch::Bound Branch::bound_of(const Label& label, const Trio& trio, Int period, Int n) const {
  Bound bound;
  bound.additive = label.additive + trio[0]->additive + trio[1]->additive + trio[2]->additive;
  if (!needs_latency_) return bound;
  Ahead ahead{.steady = label.steady + period * (n - 1),
              .written = label.busy[output] + period * (n - 1),
              .iterations = period * (label.rest - n)};
  for (std::size_t x = 0; x < operand_count; ++x) {
    const Offer& offer = *trio[x];
    ahead.transfers[x] = offer.transfers;
    ahead.stream[x] = offer.stream;
    ahead.first[x] = (x == output ? 0 : label.first[x]) + (offer.move->jump ? offer.move->cycles : 0);
  }
  ahead.written += ahead.first[output];
  bound.latency = latency_of(ahead);
  return bound;
}

// Loops still to be placed multiply M by `rest`.
//
// Stall: to that come the first tiles of I or W and the last of O. One operand's stream holds its own
// transfers; those of the others come on top.
//
// Miredo: the P of an operand that jumps no more, and P_O, grow by at least L * (N - 1) in every row of Table
// III; P_O by T more at each of its transfers (both rows), and the drain comes last. And after the jump home
// every row leaves P >= T * N, as L >= T (double) or L >= T + P (single); later loops multiply both, so the
// latency is at least T * r of that jump, whatever happened before. For O both rows leave T * (N + 1) even,
// which later loops multiply as well: T * (r + r / N), and no loop has more iterations than its dimension has
// left.
Int Branch::latency_of(const Ahead& ahead) const {
  if (!stall_)
    return std::max({ahead.written + ahead.iterations + ahead.transfers[output],
                     ahead.latest + ahead.iterations, ahead.stream[0], ahead.stream[1], ahead.stream[2]});
  const Int inputs = ahead.first[input] + ahead.transfers[input];
  const Int weights = ahead.first[weight] + ahead.transfers[weight];
  const Int first = std::max(inputs, weights);
  const Int last = ahead.transfers[output];
  const Int longest =
      std::max({ahead.iterations + first + last, ahead.first[input] + ahead.stream[input] + last,
                ahead.first[weight] + ahead.stream[weight] + last, first + ahead.stream[output]});
  return ahead.steady + ahead.first[output] + longest + problem_->machine.mvm_cycles;
}

Branch::Label Branch::place(const Label& label, const Step& step, const Pair& moves, Int period,
                            bool complete) const {
  Label child = label;
  const std::size_t d = step.dim;
  child.node[d] = static_cast<LatticeNode>(child.node[d] + step.factors);
  child.placed = static_cast<std::uint8_t>(child.placed + lattices_[d].depth(step.factors));
  child.rest /= step.n;
  for (std::size_t x = 0; x < operand_count; ++x) {
    const Move& move = *moves[x];
    child.doubled[x] = move.doubled;
    if (!move.jump) continue;
    const std::uint8_t slot = slot_[tables_[x]->memory(child.at[x])];
    if (slot != no_slot) child.departed[slot] += move.departing;
    child.at[x] = move.to;
    child.additive += move.additive;
    if (x == output) child.entered_complete = complete;
  }
  if (needs_latency_) add_latency(child, step, moves, period);
  child.mirrored = symmetric_ && mirror(child.node) < child.node;
  if (child.mirrored) child.node = mirror(child.node);
  settle(child);
  return child;
}

// Table III and section 6b for one loop of n iterations with period L.
void Branch::add_latency(Label& child, const Step& step, const Pair& moves, Int period) const {
  const Int n = step.n;
  for (std::size_t x = 0; x < operand_count; ++x) {
    const Move& move = *moves[x];
    const Int t = move.cycles;
    Int& p = child.busy[x];
    if (!move.jump) {
      p = period * (n - 1) + p;
    } else if (x == output && stall_) {
      p = period * (n - 1) + (move.doubled ? std::max(t, p) : move.moved + p);
      child.steady += t;
    } else if (x == output) {
      p = move.doubled ? period * (n - 2) + t + std::max(t, period) + std::max(t, p)
                       : period * (n - 1) + 2 * t + p;
    } else {
      p = move.doubled ? std::max(period * (n - 3) + 2 * t + std::max(t, p), t * n)
                       : period * (n - 2) + 2 * t + p;
      if (stall_) child.first[x] += t;
    }
  }
  child.critical = period * n;
  if (stall_) child.steady += (n - 1) * period;
}

bool Branch::can_jump(const Label& label, Operand operand) const {
  const auto x = index_of(operand);
  if (label.at[x] == 0) return false;
  for (const Dim dim : all_dims)
    if (problem_->layer.is_relevant(dim, operand) && label.node[index_of(dim)] != lattices_[index_of(dim)].last())
      return true;
  return false;
}

// Brings a label to a normal form without changing any completion, so that more labels compare:
// - the next L is at least M and every P, so M may be raised to their maximum;
// - stall: the P of an operand that jumps no more is never read again;
// - miredo: all P of operands that jump no more grow alike, and only their maximum is read.
void Branch::settle(Label& child) const {
  if (!needs_latency_) return;
  for (const Int p : child.busy) child.critical = std::max(child.critical, p);
  std::array<bool, operand_count> ended{};
  Int latest = 0;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    ended[x] = !can_jump(child, operand);
    if (ended[x]) latest = std::max(latest, child.busy[x]);
  }
  for (std::size_t x = 0; x < operand_count; ++x)
    if (ended[x]) child.busy[x] = stall_ ? 0 : latest;
}

// Bits that departed from a memory which no operand can enter or fill any more bind nobody. Only after
// fits(): two operands may leave a memory in one step, each with room beside the other's single buffer only.
void Branch::forget_closed_memories(Label& child) const {
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    bool open = false;
    for (std::size_t x = 0; x < operand_count; ++x)
      open |= shared_[s].position[x] != 0 && child.at[x] >= shared_[s].position[x];
    if (!open) child.departed[s] = 0;
  }
}

// Whether the blocks now being filled fit beside what departed (single-buffered, so a relaxation).
bool Branch::fits(const Label& label, const std::array<TableIndex, operand_count>& index) const {
  std::array<Int, max_shared_memories> filling{};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    if (label.at[x] == 0) continue;
    const std::size_t memory = tables_[x]->memory(label.at[x]);
    const Int bits = stored_bits(label, operand, index[x]);
    if (slot_[memory] == no_slot) {
      if (bits > problem_->machine.memories[memory].capacity) return false;
    } else {
      filling[slot_[memory]] += bits;
    }
  }
  for (std::size_t s = 0; s < shared_.size(); ++s)
    if (filling[s] + label.departed[s] > problem_->machine.memories[shared_[s].memory].capacity) return false;
  return true;
}

double Branch::bound_or_cost(const Label& label) const {
  const auto index = table_indices(label.node);
  if (!fits(label, index)) return infinite;
  return label.placed == factors_ ? complete_cost(label, index) : combine(bound(label, index));
}

double Branch::feasible_bound(Label& child, const Bound& known) const {
  const auto index = table_indices(child.node);
  if (!fits(child, index)) return infinite;
  forget_closed_memories(child);
  if (child.placed == factors_) return complete_cost(child, index);
  child.least_additive = known.additive;
  child.least_latency = known.latency;
  if (!needs_latency_ || stall_) return -infinite;
  const Bound exact = bound(child, index);
  child.least_latency = std::max(known.latency, exact.latency);
  return combine(exact);
}

Branch::Bound Branch::bound(const Label& label, const std::array<TableIndex, operand_count>& index) const {
  Bound bound{.latency = needs_latency_ ? latency_bound(label, index) : 0, .additive = label.additive};
  for (std::size_t x = 0; x < operand_count; ++x)
    bound.additive += tables_[x]->entry(index[x], label.at[x]).additive;
  return bound;
}

Int Branch::latency_bound(const Label& label, const std::array<TableIndex, operand_count>& index) const {
  Ahead ahead{
      .steady = label.steady, .written = label.busy[output], .iterations = label.critical * (label.rest - 1)};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const OperandTable::Entry& entry = tables_[x]->entry(index[x], label.at[x]);
    ahead.transfers[x] = entry.transfers;
    ahead.stream[x] = entry.stream;
    if (x != output) ahead.first[x] = label.first[x];
    if (!can_jump(label, operand)) ahead.latest = std::max(ahead.latest, label.busy[x]);
  }
  return latency_of(ahead);
}

// All loops are placed; what has not reached its home yet is filled or drained once.
double Branch::complete_cost(const Label& label, const std::array<TableIndex, operand_count>& index) const {
  std::array<Int, operand_count> edge{};
  double additive = label.additive;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const std::size_t position = label.at[x];
    if (position == 0) continue;
    if (!tables_[x]->may_end(position)) return infinite;
    edge[x] = tables_[x]->entry(index[x], 0).cycles;
    if (needs_additive_)
      additive += tables_[x]->residence_cost(position, stored_bits(label, operand, index[x])) +
                  tables_[x]->transfer_cost(index[x], position, 0, x == output ? 1 : 0, x == output ? 0 : 1,
                                            tables_[x]->moved_width(true));
  }
  Int latency = 0;
  if (needs_latency_ && stall_)
    latency = label.steady + std::max(label.first[0] + edge[input], label.first[1] + edge[weight]) +
              edge[output] + problem_->machine.mvm_cycles;
  else if (needs_latency_)
    latency = std::max({label.busy[0], label.busy[1], label.busy[2]}) + std::max(edge[input], edge[weight]) +
              edge[output];
  return combine({.latency = latency, .additive = additive});
}

// The objective of two bounds (or of exact parts); infinite beyond a limit.
double Branch::combine(const Bound& bound) const {
  const Int latency = std::max(bound.latency, problem_->known_latency);
  const double additive = std::max(bound.additive, problem_->known_additive);
  if (latency > problem_->constraints.max_latency || additive > problem_->constraints.max_additive ||
      stairs_.cover(latency, additive))
    return infinite;
  return problem_->objective.combine(static_cast<double>(latency), additive);
}

}  // namespace nestor::cim
