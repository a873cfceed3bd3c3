#include "model/cim/space/branch.h"

#include <algorithm>
#include <limits>

namespace nestor::cim {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr auto input = index_of(Operand::I);
constexpr auto weight = index_of(Operand::W);
constexpr auto output = index_of(Operand::O);

}  // namespace

Branch::Setup Branch::prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                              const std::array<const OperandTable*, operand_count>& tables, Arena& arena) {
  problem_ = &problem;
  tables_ = tables;
  stall_ = problem.objective.latency_model == LatencyModel::stall;
  needs_latency_ = problem.follows_latency();
  needs_additive_ = problem.follows_additive();
  trades_ = problem.techniques.trades && problem.objective.kind == ObjectiveKind::edp &&
            !problem.constraints.limits_latency() && !problem.constraints.limits_additive();
  symmetric_ = is_symmetric(problem) && mirror(choice) == choice;
  max_depth_ = 0;
  key_states_ = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    LatticeNode used = 0;
    for (std::size_t a = 0; a < max_axes; ++a) {
      spatial_[a][d] = a < problem.machine.axes.size() ? lattices[d].value(choice.node[a][d]) : 1;
      used = static_cast<LatticeNode>(used + choice.node[a][d]);
    }
    if (!lattices_[d].build(lattices[d].complement(used), arena)) return Setup::out_of_memory;
    max_depth_ += lattices_[d].depth(lattices_[d].last());
    key_strides_[d] = key_states_;
    key_states_ *= lattices_[d].size();  // below 2^45: a bound b has at most 2 * sqrt(b) divisors
  }
  if (!find_fixed_loops()) return Setup::infeasible;
  find_shared_memories();
  if (shared_.full()) return Setup::too_large;
  set_base_cost();
  const Label start = root();
  const auto index = table_indices(start);
  bool reachable = true;
  for (std::size_t x = 0; x < operand_count; ++x)
    reachable &= tables_[x]->entry(index[x], start.at[x]).bottleneck < unreachable;
  root_bound_ = reachable ? bound_or_cost(start) : infinite;
  return root_bound_ < infinite ? Setup::ready : Setup::infeasible;
}

// False if what the spatial choice leaves does not hold their factors.
bool Branch::find_fixed_loops() {
  fixed_loops_.clear();
  fixed_factors_.fill(0);
  for (const Loop& loop : problem_->constraints.outer_loops) {
    const auto d = index_of(loop.dim);
    const FactorLattice& lattice = lattices_[d];
    std::size_t factors = 0;
    while (factors < lattice.size() &&
           (lattice.value(static_cast<LatticeNode>(factors)) != loop.factor ||
            !lattice.fits_beside(fixed_factors_[d], static_cast<LatticeNode>(factors))))
      ++factors;
    if (factors == lattice.size()) return false;
    fixed_loops_.push_back({.dim = d, .factors = static_cast<LatticeNode>(factors)});
    fixed_factors_[d] = static_cast<LatticeNode>(fixed_factors_[d] + factors);
  }
  return true;
}

// The fixed loop to place next, once everything else is inside; the fixed loops are placed from the last one
// on.
const Branch::FixedLoop* Branch::next_fixed(const Label& label) const {
  std::array<LatticeNode, dim_count> inside;
  for (std::size_t d = 0; d < dim_count; ++d)
    inside[d] = static_cast<LatticeNode>(lattices_[d].last() - fixed_factors_[d]);
  for (std::size_t i = fixed_loops_.size(); i-- > 0;) {
    if (label.node == inside) return &fixed_loops_[i];
    const FixedLoop& loop = fixed_loops_[i];
    inside[loop.dim] = static_cast<LatticeNode>(inside[loop.dim] + loop.factors);
  }
  return nullptr;
}

void Branch::find_shared_memories() {
  shared_.clear();
  slot_.fill(no_slot);
  for (std::size_t m = 0; m < problem_->machine.memories.size() && !shared_.full(); ++m) {
    SharedMemory memory{.memory = m, .position = {}};
    int operands = 0;
    for (std::size_t x = 0; x < operand_count; ++x)
      for (std::size_t c = 1; c < tables_[x]->chain_length(); ++c)
        if (tables_[x]->memory(c) == m) {
          memory.position[x] = static_cast<std::uint8_t>(c);
          ++operands;
        }
    if (operands < 2 || problem_->machine.memories[m].capacity == unlimited_capacity) continue;
    slot_[m] = static_cast<std::uint8_t>(shared_.size());
    shared_.push_back(memory);
  }
}

// What every completion pays: the multiply-accumulates and the array's own accesses (section 7).
void Branch::set_base_cost() {
  base_additive_ = 0;
  if (!needs_additive_ || !problem_->objective.additive_is_energy()) return;
  Int steps = 1;
  for (const FactorLattice& lattice : lattices_) steps *= lattice.value(lattice.last());
  Int macs = 1;
  for (const Int bound : problem_->layer.bounds) macs *= bound;
  base_additive_ = static_cast<double>(macs) * problem_->machine.mac_energy;
  const auto accesses = [&](std::size_t x, Int width) {
    const OperandTable& table = *tables_[x];
    const Memory& memory = problem_->machine.memories[table.memory(table.innermost())];
    Int lanes = 1;
    for (std::size_t a = 0; a < memory.axes_above; ++a)
      for (const Int factor : spatial_[a]) lanes *= factor;
    return static_cast<double>(table.entry(0, table.innermost()).elements * width * lanes * steps);
  };
  const auto& memories = problem_->machine.memories;
  const Memory& inputs = memories[tables_[input]->memory(tables_[input]->innermost())];
  const Memory& sums = memories[tables_[output]->memory(tables_[output]->innermost())];
  base_additive_ += accesses(input, problem_->layer.bits.input) * inputs.read_energy;
  base_additive_ +=
      accesses(output, problem_->layer.bits.partial_sum) * (sums.read_energy + sums.write_energy);
}

Branch::Label Branch::root() const {
  Label label;
  for (std::size_t x = 0; x < operand_count; ++x) label.at[x] = tables_[x]->innermost();
  label.critical = problem_->machine.mvm_cycles;
  label.busy.fill(label.critical);
  label.additive = base_additive_;
  for (const FactorLattice& lattice : lattices_) label.rest *= lattice.value(lattice.last());
  settle(label);
  return label;
}

std::uint64_t Branch::key(const Label& label) const {
  std::uint64_t key = 0;
  for (std::size_t d = 0; d < dim_count; ++d) key += label.node[d] * key_strides_[d];
  for (std::size_t x = 0; x < operand_count; ++x) key = key << 4U | label.at[x];
  return key << 1U | static_cast<std::uint64_t>(label.entered_complete);
}

double Branch::preference(const Label& label) const {
  const Int latency = stall_ ? label.steady + label.critical * (label.rest - 1) : label.critical * label.rest;
  return problem_->objective.combine(static_cast<double>(latency), label.additive);
}

// Equal keys: the same loops to come, the same transfers possible. What differs enters the rest of the
// recursion through the costs and the departed bits only, and in all of them it is monotone.
bool Branch::dominates(const Label& a, const Label& b, double cut) const {
  for (std::size_t s = 0; s < shared_.size(); ++s)
    if (a.departed[s] > b.departed[s]) return false;
  if (!needs_latency_) return a.additive <= b.additive;
  Int excess = 0;
  if (!latency_excess(a, b, excess)) return false;
  if (excess <= 0 && (!needs_additive_ || a.additive <= b.additive)) return true;
  return trades_ && trade_pays(a, b, excess, cut);
}

// How many cycles a completion takes more from a than from b, at most; false if that is not known. Stall: if
// M and P of a exceed those of b by at most D, so does every later L, times the iterations in between: by
// induction over Table III's rows the steady part of a grows by at most D * (rest - 1) more. Miredo: likewise
// the final P exceeds by at most D * rest.
bool Branch::latency_excess(const Label& a, const Label& b, Int& excess) const {
  Int difference = std::max<Int>(0, a.critical - b.critical);
  for (std::size_t x = 0; x < operand_count; ++x) difference = std::max(difference, a.busy[x] - b.busy[x]);
  if (!stall_) {
    excess = difference * a.rest;
    return trades_ || difference == 0;
  }
  const Int first = std::max(a.first[0] - b.first[0], a.first[1] - b.first[1]);
  excess = a.steady + first + difference * (a.rest - 1) - b.steady;
  return true;
}

// edp. Let a completion of b cost E * T < cut; from a it costs at most (E + e) * (T + t), e and t known and
// of opposite signs. With E >= E0 and T >= T0, E <= cut / T0 and T <= cut / E0:
//     t > 0 > e:  (E + e)(T + t) <= E T  if  E t <= -e (T + t), implied by  (cut / T0) t <= -e T0
//     e > 0 > t:  symmetrically,         implied by  (cut / E0) e <= -t E0
// The factor below 1 leaves room for rounding.
bool Branch::trade_pays(const Label& a, const Label& b, Int excess, double cut) const {
  constexpr double margin = 1 - 1e-9;
  const double e = a.additive - b.additive + problem_->objective.leakage * static_cast<double>(excess);
  const auto t = static_cast<double>(excess);
  const auto least_latency = static_cast<double>(b.least_latency);
  const double least_energy = b.least_additive + problem_->objective.leakage * least_latency;
  if (cut == infinite) return false;
  if (t <= 0 && e <= 0) return true;
  if (t > 0) return e < 0 && cut * t <= -e * least_latency * least_latency * margin;
  return e > 0 && cut * e <= -t * least_energy * least_energy * margin;
}

std::array<TableIndex, operand_count> Branch::table_indices(const Label& label) const {
  return {tables_[0]->index(label.node), tables_[1]->index(label.node), tables_[2]->index(label.node)};
}

Branch::Context Branch::context(const Label& label) const {
  Context context{.label = &label, .index = table_indices(label)};
  for (std::size_t d = 0; d < dim_count; ++d) {
    context.remaining[d] = lattices_[d].remaining(label.node[d]);
    if (is_relevant(static_cast<Dim>(d), Operand::O)) context.distinct_outputs *= context.remaining[d];
  }
  context.complete = context.distinct_outputs == label.rest;
  return context;
}

// Bits of the block that an operand is filling, as its memory stores it.
Int Branch::stored_bits(const Label& label, Operand operand, TableIndex index) const {
  const OperandTable& table = *tables_[index_of(operand)];
  const std::size_t position = label.at[index_of(operand)];
  return table.entry(index, position).elements * table.stored_width(position, label.entered_complete);
}

// Bits that an operand may take in the memory it is filling, given who left it and who else is there.
Int Branch::room(const Context& context, Operand operand) const {
  const Label& label = *context.label;
  const std::size_t memory = tables_[index_of(operand)]->memory(label.at[index_of(operand)]);
  Int room = problem_->machine.memories[memory].capacity;
  if (slot_[memory] == no_slot) return room;
  room -= label.departed[slot_[memory]];
  for (const Operand other : all_operands) {
    const auto y = index_of(other);
    if (other != operand && label.at[y] != 0 && tables_[y]->memory(label.at[y]) == memory)
      room -= stored_bits(label, other, context.index[y]);
  }
  return room;
}

void Branch::list_moves(const Context& context, Operand operand, Moves& moves) const {
  const auto x = index_of(operand);
  moves.push_back({.to = context.label->at[x], .contender = context.label->busy[x]});
  for (std::size_t to = context.label->at[x]; to-- > 0;)
    if (tables_[x]->may_jump(context.label->at[x], to)) add_jump(context, operand, to, moves);
}

// A jump from the current memory to chain position `to`, single- or double-buffered. Double buffering never
// costs latency or energy, only room: where nobody else could use the room, it is the only choice offered.
void Branch::add_jump(const Context& context, Operand operand, std::size_t to, Moves& moves) const {
  const auto x = index_of(operand);
  const Label& label = *context.label;
  const OperandTable& table = *tables_[x];
  const std::size_t position = label.at[x];
  const TableIndex index = context.index[x];
  const OperandTable::Entry& source = table.entry(index, to);
  const bool is_output = operand == Operand::O;
  const Int size = stored_bits(label, operand, index);
  const Int space = room(context, operand);
  if (size > space) return;

  const Int back = is_output ? label.rest - context.distinct_outputs : 0;
  Move move{.to = static_cast<std::uint8_t>(to), .jump = true};
  move.cycles = is_output && !context.complete ? source.open_cycles : source.cycles;
  move.moved = move.cycles + (stall_ && back > 0 ? ceil_divide(move.cycles * back, label.rest) : 0);
  if (needs_additive_) {
    move.additive =
        table.residence_cost(position, size) +
        table.transfer_cost(index, position, to, is_output ? label.rest : 0, is_output ? back : label.rest,
                            table.moved_width(!is_output || context.complete));
  }
  const std::size_t memory = table.memory(position);
  const bool may_double =
      needs_latency_ && problem_->machine.memories[memory].double_buffer && size <= space - size;
  if (may_double) {
    move.doubled = true;
    move.departing = 2 * size;
    move.contender = std::max(move.moved, label.busy[x]);
    moves.push_back(move);
    if (slot_[memory] == no_slot) return;
  }
  move.doubled = false;
  move.departing = size;
  move.contender = move.moved + label.busy[x];
  moves.push_back(move);
}

bool Branch::overruns(const Label& label, const Move& move, Int period) const {
  if (stall_ || !needs_latency_ || !move.jump) return false;
  const Int t = move.cycles;
  const Int p = label.busy[output];
  return (move.doubled ? t + std::max(t, p) : 2 * t + p) > period;
}

// Which moves a loop of more than one factor is offered to; see branch.h.
bool Branch::wants(const Label& label, std::size_t dim, LatticeNode factors, const Trio& trio,
                   Int period) const {
  const int depth = lattices_[dim].depth(factors);
  if (depth == 1 || next_fixed(label) != nullptr) return true;
  const bool doubled_in = trio[input]->move->doubled || trio[weight]->move->doubled;
  if (doubled_in && depth == 2 && lattices_[dim].value(factors) == 4) return true;
  return overruns(label, *trio[output]->move, period);
}

// The bound of a child before it is built: a loop of n iterations with period L makes the steady part
// (n-1) * L and M = L * n, so that what remains is at least L * (rest - 1) in all. For miredo, P_O grows by
// at least as much, and feasible_bound adds the rest.
Branch::Bound Branch::bound_of(const Label& label, const Trio& trio, Int period, Int n) const {
  Bound bound;
  bound.additive = label.additive + trio[0]->additive + trio[1]->additive + trio[2]->additive;
  if (!needs_latency_) return bound;
  Ahead ahead{.steady = label.steady + period * (n - 1),
              .latest = label.busy[output] + period * (n - 1),
              .iterations = period * (label.rest - n)};
  for (std::size_t x = 0; x < operand_count; ++x) {
    const Offer& offer = *trio[x];
    ahead.bottleneck[x] = offer.bottleneck;
    ahead.transfers[x] = offer.transfers;
    ahead.stream[x] = offer.stream;
    ahead.first[x] = (x == output ? 0 : label.first[x]) + (offer.move->jump ? offer.move->cycles : 0);
  }
  bound.latency = latency_of(ahead);
  return bound;
}

// Loops still to be placed multiply M by `rest`, and a jump with transfer T at r remaining iterations has L
// >= T, so the time after the current content is at least T * (r - 1) too (the bottleneck). Stall: to it come
// the first tiles of I or W and the last of O. One operand's bottleneck and transfers belong to the same
// jumps: their least sum (the stream) is more than the sum of their least values. Miredo: P_O, and the P of
// an operand that jumps no more, grow by at least L * (N - 1) in every row of Table III. And after the jump
// home every row leaves P >= T * N, as L >= T (double) or L >= T + P (single); later loops multiply both. So
// the latency is at least T * r of that jump, whatever happened before.
Int Branch::latency_of(const Ahead& ahead) const {
  const auto& bottleneck = ahead.bottleneck;
  const Int growth = std::max({ahead.iterations, bottleneck[0], bottleneck[1], bottleneck[2]});
  if (!stall_) return std::max({ahead.latest + growth, ahead.stream[0], ahead.stream[1], ahead.stream[2]});
  const Int inputs = ahead.first[input] + ahead.transfers[input];
  const Int weights = ahead.first[weight] + ahead.transfers[weight];
  const Int first = std::max(inputs, weights);
  const Int last = ahead.transfers[output];
  const Int longest =
      std::max({growth + first + last, ahead.first[input] + ahead.stream[input] + last,
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
    if (is_relevant(dim, operand) && label.node[index_of(dim)] != lattices_[index_of(dim)].last())
      return true;
  return false;
}

// Brings a label to a normal form without changing any completion, so that more labels compare:
// - the next L is at least M and every P, so M may be raised to their maximum;
// - stall: the P of an operand that jumps no more is never read again;
// - miredo: all P of operands that jump no more grow alike, and only their maximum is read;
// - bits that departed from a memory which no operand can enter or fill any more bind nobody.
void Branch::settle(Label& child) const {
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    bool open = false;
    for (std::size_t x = 0; x < operand_count; ++x)
      open |= shared_[s].position[x] != 0 && child.at[x] >= shared_[s].position[x];
    if (!open) child.departed[s] = 0;
  }
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
  const auto index = table_indices(label);
  if (!fits(label, index)) return infinite;
  return label.placed == max_depth_ ? complete_cost(label, index) : combine(bound(label, index));
}

double Branch::feasible_bound(Label& child, const Bound& known) const {
  const auto index = table_indices(child);
  if (!fits(child, index)) return infinite;
  if (child.placed == max_depth_) return complete_cost(child, index);
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
      .steady = label.steady, .latest = label.busy[output], .iterations = label.critical * (label.rest - 1)};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const OperandTable::Entry& entry = tables_[x]->entry(index[x], label.at[x]);
    ahead.bottleneck[x] = entry.bottleneck;
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
  if (bound.latency > problem_->constraints.max_latency ||
      bound.additive > problem_->constraints.max_additive)
    return infinite;
  return problem_->objective.combine(static_cast<double>(bound.latency), bound.additive);
}

}  // namespace nestor::cim
