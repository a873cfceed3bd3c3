#include "model/cim/search/branch.h"

#include <algorithm>

namespace nestor::cim {
BranchSetup Branch::prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                            const Tables& tables, Arena& arena) {
  const auto setup = prepare_frame(problem, lattices, choice, tables, arena);
  if (setup != BranchSetup::ready) return setup;
  stall_ = problem.objective.latency_model == LatencyModel::stall;
  needs_latency_ = problem.follows_latency();
  needs_additive_ = problem.follows_additive();
  trades_ = problem.techniques.trades && problem.objective.kind == ObjectiveKind::edp &&
            !problem.constraints.limits_latency() && !problem.constraints.limits_additive();
  if (!find_fixed_loops()) return BranchSetup::infeasible;
  const Label start = root();
  const auto index = table_indices(start.node);
  bool reachable = true;
  for (std::size_t x = 0; x < operand_count; ++x)
    reachable &= tables_[x]->entry(index[x], start.at[x]).transfers < unreachable;
  root_bound_ = reachable ? bound_or_cost(start) : infinite;
  return root_bound_ < infinite ? BranchSetup::ready : BranchSetup::infeasible;
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
  return key_of(label.node, label.at, label.entered_complete);
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

Branch::Context Branch::context(const Label& label) const {
  Context context{.label = &label, .index = table_indices(label.node)};
  for (std::size_t d = 0; d < dim_count; ++d) {
    context.remaining[d] = lattices_[d].remaining(label.node[d]);
    if (problem_->layer.is_relevant(static_cast<Dim>(d), Operand::O))
      context.distinct_outputs *= context.remaining[d];
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

}  // namespace nestor::cim
