#include "model/cim/search/branch_frame.h"

#include "model/loopnest/spatial_factors.h"

namespace nestor::cim {

BranchSetup BranchFrame::prepare_frame(const CimProblem& problem, const Lattices& lattices,
                                       const SpatialChoice& choice, const OperandTables& tables,
                                       Arena& arena) {
  problem_ = &problem;
  tables_ = tables;
  for (std::size_t x = 0; x < operand_count; ++x) chains_[x] = tables[x]->setup().chain;
  symmetric_ = is_symmetric(problem, problem.machine) && mirror(choice) == choice;
  if (!prepare_choice(lattices, choice, arena)) return BranchSetup::out_of_memory;
  const auto follow = [this](const SharedMemory& shared) { return must_follow(shared); };
  if (!find_shared_memories(chains_, problem.machine.memories.size(), shared_, slot_, follow))
    return BranchSetup::too_large;
  set_base_cost();
  return BranchSetup::ready;
}

// Returns the most bits that an operand can occupy in a memory: completely stored, double-buffered, at its
// largest width.
Int BranchFrame::most_bits(std::size_t operand, std::size_t position) const {
  const OperandTable& table = *tables_[operand];
  const auto whole = static_cast<TableIndex>(table.count() - 1);
  return 2 * table.entry(whole, position).elements * table.stored_width(position, false);
}

bool BranchFrame::must_follow(const SharedMemory& shared) const {
  int operands = 0;
  Int most = 0;
  for (std::size_t x = 0; x < operand_count; ++x) {
    if (shared.position[x] == 0) continue;
    most += most_bits(x, shared.position[x]);
    ++operands;
  }
  return operands > 1 && problem_->machine.memories[shared.memory].capacity < most;
}

void BranchFrame::set_base_cost() {
  base_additive_ = 0;
  if (!problem_->follows_additive() || !problem_->objective.additive_is_energy()) return;
  const auto accessed = [&](std::size_t x) {
    const OperandTable& table = *tables_[x];
    const Memory& memory = problem_->machine.memories[table.memory(table.innermost())];
    return table.entry(0, table.innermost()).elements * lanes_above(memory, spatial_);
  };
  base_additive_ = base_energy(*problem_, steps(), accessed(input), accessed(output));
}

}  // namespace nestor::cim
