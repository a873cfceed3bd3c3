#include "model/loopnest/search/content_table.h"

namespace nestor {

std::size_t ContentTable::bytes_needed(const OperandSetup& setup) {
  std::size_t bytes = 0;
  for (const FactorSet& set : setup.temporal) bytes += FactorLattice::bytes_needed(set);
  return bytes;
}

std::size_t ContentTable::count_of(const OperandSetup& setup) {
  std::size_t count = 1;
  for (const FactorSet& set : setup.temporal) count *= FactorLattice::size_of(set);
  return count;
}

bool ContentTable::build(const NestProblem& problem, Arena& arena) {
  jump_targets_ = jump_targets(problem.constraints, setup_);
  count_ = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (!lattices_[d].build(setup_.temporal[d], arena)) return false;
    const bool relevant = problem.layer.is_relevant(static_cast<Dim>(d), setup_.operand);
    strides_[d] = relevant ? static_cast<TableIndex>(count_) : 0;
    count_ *= lattices_[d].size();
    if (count_ > std::numeric_limits<TableIndex>::max() / max_memories) return false;
  }
  return true;
}

}  // namespace nestor
