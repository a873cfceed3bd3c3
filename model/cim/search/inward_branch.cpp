#include "model/cim/search/inward_branch.h"

namespace nestor::cim {

BranchSetup InwardBranch::prepare(const CimProblem& problem, const Lattices& lattices,
                                  const SpatialChoice& choice, const Tables& tables, Arena& arena) {
  const auto setup = prepare_frame(problem, lattices, choice, outward_of(tables), arena);
  if (setup != BranchSetup::ready) return setup;
  use_tables(tables);
  // The first step does not depend on the loop order, so the sum of the operands' least costs is a bound.
  const Label start = root();
  const auto index = table_indices(start.node);
  root_bound_ = start.energy;
  for (const Operand operand : all_operands) {
    Moves moves;
    list_moves(start, operand, index[index_of(operand)], {}, true, moves);
    double least = infinite;
    for (const Move& move : moves) least = std::min(least, move.bound);
    root_bound_ += least;
  }
  return root_bound_ < infinite ? BranchSetup::ready : BranchSetup::infeasible;
}

InwardBranch::Label InwardBranch::root() const {
  Label label;
  for (std::size_t d = 0; d < dim_count; ++d) label.node[d] = lattices_[d].last();
  label.energy = base_additive_;
  return label;
}

std::uint64_t InwardBranch::key(const Label& label) const {
  return key_of(label.node, label.at, label.started);
}

bool InwardBranch::dominates(const Label& a, const Label& b, double) const {
  for (std::size_t s = 0; s < shared_.size(); ++s)
    if (a.taken[s] > b.taken[s]) return false;
  return a.energy <= b.energy && a.pending <= b.pending;
}

double InwardBranch::least(std::size_t x, TableIndex index, std::size_t position, Int irrelevant) const {
  const double least = inward_[x]->least(index, position, irrelevant);
  return problem_->techniques.additive || least == infinite ? least : 0;
}

// Lists the moves of an operand whose content inside is `index`.
void InwardBranch::list_moves(const Label& label, Operand operand, TableIndex index, const Outside& outside,
                              bool may_jump, Moves& moves) const {
  const auto x = index_of(operand);
  const OperandTable& table = *tables_[x];
  const std::size_t at = label.at[x];
  const double stays = least(x, index, at, outside.irrelevant);
  if (stays < infinite) moves.push_back({.to = label.at[x], .bound = stays});
  if (!may_jump) return;
  const bool is_output = operand == Operand::O;
  const bool complete = !is_output || outside.irrelevant == 1;  // O: all reductions are inside
  const Int times = outside.relevant * outside.irrelevant;
  for (std::size_t to = at + 1; to < table.chain_length(); ++to) {
    const double later = table.may_jump(to, at) ? least(x, index, to, outside.irrelevant) : infinite;
    if (later == infinite) continue;
    const std::size_t memory = table.memory(to);
    const Int capacity = problem_->machine.memories[memory].capacity;
    Move move{.to = static_cast<std::uint8_t>(to)};
    move.bits = table.entry(index, to).elements * table.stored_width(to, complete);
    if (move.bits > capacity) continue;
    if (is_output) move.pending = table.entry(index, to).elements * table.stored_width(to, false) - move.bits;
    if (slot_[memory] == no_slot && move.bits + move.pending <= capacity) move.pending = 0;
    move.energy =
        table.transfer_cost(index, to, at, is_output ? times : 0,
                            is_output ? times - outside.relevant : times, table.moved_width(complete));
    move.bound = move.energy + later;
    moves.push_back(move);
  }
}

bool InwardBranch::widen_pending(Label& child) const {
  if (child.pending == 0) return true;
  const std::size_t memory = tables_[output]->memory(child.at[output]);
  if (slot_[memory] == no_slot) return false;   // pending is nonzero only if the larger block does not fit
  child.taken[slot_[memory]] += child.pending;  // carry_out compares it with the capacity
  child.pending = 0;
  return true;
}

bool InwardBranch::carry_out(Label& child, const MovePerOperand& moves) const {
  for (std::size_t x = 0; x < operand_count; ++x) {
    const Move& move = *moves[x];
    if (move.to == child.at[x]) continue;
    child.at[x] = move.to;
    child.energy += move.energy;
    if (x == output) child.pending = move.pending;
    const std::uint8_t slot = slot_[tables_[x]->memory(move.to)];
    if (slot != no_slot) child.taken[slot] += move.bits;
  }
  for (std::size_t s = 0; s < shared_.size(); ++s) {
    if (child.taken[s] > problem_->machine.memories[shared_[s].memory].capacity) return false;
    // The contents of a memory that no operand can enter any more impose no limit, unless they may still
    // grow.
    bool open = child.pending > 0 && child.at[output] == shared_[s].position[output];
    for (std::size_t x = 0; x < operand_count; ++x) open |= child.at[x] < shared_[s].position[x];
    if (!open) child.taken[s] = 0;
  }
  return true;
}

}  // namespace nestor::cim
