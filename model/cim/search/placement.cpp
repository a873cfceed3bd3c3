#include "model/cim/search/placement.h"

namespace nestor::cim {

BranchSetup Placement::prepare_placement(const CimProblem& problem, const Lattices& lattices,
                                         const SpatialChoice& choice, const Tables& tables, Arena& arena) {
  const auto setup = prepare_frame(problem, lattices, choice, tables, arena);
  if (setup != BranchSetup::ready) return setup;
  needs_additive_ = problem.follows_additive();
  return find_fixed_loops() ? BranchSetup::ready : BranchSetup::infeasible;
}

// Finds the lattice nodes of the fixed loops. Returns false if the lattices of the spatial choice do not
// contain their factors.
bool Placement::find_fixed_loops() {
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

std::uint32_t Placement::units_of_moves() const {
  std::size_t most = 0;
  for (const OperandTable* table : tables_) most += table->chain_length();
  return static_cast<std::uint32_t>(1 + most / 2);
}

// Returns the fixed loop to place next, or nullptr until the factors of all other loops are inside. Fixed
// loops are placed from the last to the first.
const Placement::FixedLoop* Placement::next_fixed(const PlacementLabel& label) const {
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

void Placement::start(PlacementLabel& label) const {
  for (std::size_t x = 0; x < operand_count; ++x) label.at[x] = tables_[x]->innermost();
  label.additive = base_additive_;
  label.rest = steps();
}

bool Placement::is_reachable(const PlacementLabel& label) const {
  const auto index = table_indices(label.node);
  for (std::size_t x = 0; x < operand_count; ++x)
    if (tables_[x]->entry(index[x], label.at[x]).transfers >= unreachable) return false;
  return true;
}

Placement::Context Placement::context(const PlacementLabel& label) const {
  Context context{.label = &label, .index = table_indices(label.node)};
  for (std::size_t d = 0; d < dim_count; ++d) {
    context.remaining[d] = lattices_[d].remaining(label.node[d]);
    if (problem_->layer.is_relevant(static_cast<Dim>(d), Operand::O))
      context.distinct_outputs *= context.remaining[d];
  }
  context.complete = context.distinct_outputs == label.rest;
  return context;
}

// Returns the bits of the block that an operand is filling, as stored in its memory.
Int Placement::stored_bits(const PlacementLabel& label, Operand operand, TableIndex index) const {
  const OperandTable& table = *tables_[index_of(operand)];
  const std::size_t position = label.at[index_of(operand)];
  return table.entry(index, position).elements * table.stored_width(position, label.entered_complete);
}

// Returns the bits that an operand may use in the memory that it is filling, after subtracting departed bits
// and the blocks of other operands.
Int Placement::room(const Context& context, Operand operand) const {
  const PlacementLabel& label = *context.label;
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

// True if an operand may leave its memory. A stationary operand leaves its innermost memory only after every
// irrelevant loop is inside, because later loops are in outer blocks.
bool Placement::may_leave(const Context& context, Operand operand) const {
  const auto x = index_of(operand);
  if (!problem_->constraints.stationary.contains(operand) || context.label->at[x] != tables_[x]->innermost())
    return true;
  for (const Dim dim : all_dims)
    if (!problem_->layer.is_relevant(dim, operand) && context.remaining[index_of(dim)] != 1) return false;
  return true;
}

void Placement::list_moves(const Context& context, bool buffers, StepLists& lists) const {
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    Moves& moves = lists.moves[x];
    moves.clear();
    moves.push_back({.to = context.label->at[x]});
    if (!may_leave(context, operand)) continue;
    const Block block{.size = stored_bits(*context.label, operand, context.index[x]),
                      .space = room(context, operand)};
    if (block.size > block.space) continue;
    for (std::size_t to = context.label->at[x]; to-- > 0;)
      if (tables_[x]->may_jump(context.label->at[x], to))
        add_jump(context, operand, block, to, buffers, moves);
  }
}

// Adds a jump from the current memory to chain position `to`, single- or double-buffered. Double buffering
// never costs latency or energy, only capacity. If no other operand could use the capacity, only double
// buffering is offered.
void Placement::add_jump(const Context& context, Operand operand, const Block& block, std::size_t to,
                         bool buffers, Moves& moves) const {
  const auto x = index_of(operand);
  const PlacementLabel& label = *context.label;
  const OperandTable& table = *tables_[x];
  const std::size_t position = label.at[x];
  const TableIndex index = context.index[x];
  const OperandTable::Entry& source = table.entry(index, to);
  const bool is_output = operand == Operand::O;
  const Int size = block.size;
  const Int back = is_output ? context.returns() : 0;
  Move move{.to = static_cast<std::uint8_t>(to), .jump = true};
  move.cycles = is_output && !context.complete ? source.open_cycles : source.cycles;
  if (needs_additive()) {
    move.additive =
        table.residence_cost(position, size) +
        table.transfer_cost(index, position, to, is_output ? label.rest : 0, is_output ? back : label.rest,
                            table.moved_width(!is_output || context.complete));
  }
  const std::size_t memory = table.memory(position);
  if (buffers && problem_->machine.memories[memory].double_buffer && size <= block.space - size) {
    move.doubled = true;
    move.departing = 2 * size;
    moves.push_back(move);
    if (slot_[memory] == no_slot) return;
  }
  move.doubled = false;
  move.departing = size;
  moves.push_back(move);
}

void Placement::place(PlacementLabel& child, const LoopStep& step, const MovePerOperand& moves,
                      bool complete) const {
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
}

bool Placement::can_jump(const PlacementLabel& label, Operand operand) const {
  const auto x = index_of(operand);
  if (label.at[x] == 0) return false;
  for (const Dim dim : all_dims)
    if (problem_->layer.is_relevant(dim, operand) &&
        label.node[index_of(dim)] != lattices_[index_of(dim)].last())
      return true;
  return false;
}

// Clears departed bits in memories that no operand can enter or fill any more. It must be called after
// fits(): two operands may leave a memory in one step, and the limit of each operand considers only the
// other's single buffer.
void Placement::forget_closed_memories(PlacementLabel& child) const {
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    bool open = false;
    for (std::size_t x = 0; x < operand_count; ++x)
      open |= shared_[s].position[x] != 0 && child.at[x] >= shared_[s].position[x];
    if (!open) child.departed[s] = 0;
  }
}

// True if the current blocks and the departed bits fit together. Blocks are assumed single-buffered, so this
// is a relaxation.
bool Placement::fits(const PlacementLabel& label, const std::array<TableIndex, operand_count>& index) const {
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

Placement::Ending Placement::ending(const PlacementLabel& label,
                                    const std::array<TableIndex, operand_count>& index) const {
  Ending ending{.additive = label.additive};
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const std::size_t position = label.at[x];
    if (position == 0) continue;
    if (!tables_[x]->may_end(position)) return {.possible = false};
    ending.cycles[x] = tables_[x]->entry(index[x], 0).cycles;
    if (needs_additive())
      ending.additive += tables_[x]->residence_cost(position, stored_bits(label, operand, index[x])) +
                         tables_[x]->transfer_cost(index[x], position, 0, x == output ? 1 : 0,
                                                   x == output ? 0 : 1, tables_[x]->moved_width(true));
  }
  return ending;
}

void Placement::describe(FunctionRef<void(StepVisit)> walk_back, Mapping& mapping) const {
  mapping.spatial = spatial_;
  mapping.loops.clear();
  mapping.double_buffered.fill({});
  bool outer_moves_nothing = false;
  bool outer_is_fixed = false;
  std::size_t fixed_left = fixed_loops_.size();  // fixed loops are visited first
  // True if this step is mirrored relative to the complete label.
  bool mirrored = false;
  walk_back([&](const PlacementLabel& parent, const PlacementLabel& child) {
    mirrored ^= child.mirrored;
    Loop loop = loop_between(parent, child);
    if (mirrored) loop.dim = mirror(loop.dim);
    bool moves_nothing = true;
    for (const Operand operand : all_operands) {
      const auto x = index_of(operand);
      loop.at[x] = chains_[x][child.at[x]];
      if (child.at[x] == parent.at[x]) continue;
      moves_nothing = false;
      if (child.doubled[x]) mapping.double_buffered[chains_[x][parent.at[x]]].insert(operand);
    }
    // A loop without transfers is merged with the next inner loop if that has the same dimension, unless the
    // outer one is fixed.
    const bool fixed = fixed_left > 0;
    if (fixed) --fixed_left;
    if (outer_moves_nothing && !outer_is_fixed && mapping.loops.back().dim == loop.dim)
      mapping.loops.back().factor *= loop.factor;
    else
      mapping.loops.push_back(loop);
    outer_moves_nothing = moves_nothing;
    outer_is_fixed = fixed;
  });
}

// An operand stays, or jumps to one of the memories further out with a single or a double buffer: 2 n - 1
// moves at most for a chain of n memories.
bool Placement::allocate_lists(Arena& arena, StepLists& lists) const {
  for (std::size_t x = 0; x < operand_count; ++x) {
    const std::size_t most = 2 * chains_[x].size() - 1;
    Move* moves = arena.allocate<Move>(most);
    Offer* offers = arena.allocate<Offer>(most);
    if (moves == nullptr || offers == nullptr) return false;
    lists.moves[x] = Moves(moves, most);
    lists.offers[x] = Offers(offers, most);
  }
  return true;
}

}  // namespace nestor::cim
