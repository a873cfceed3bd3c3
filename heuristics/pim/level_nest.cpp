#include "heuristics/pim/level_nest.h"

#include "model/loopnest/canonical.h"
#include "model/loopnest/spatial_factors.h"

namespace nestor::pim {

LevelNest::LevelNest(const PimProblem& problem, const SpatialFactors& spatial, const DimOrder& order)
    : problem_(&problem), spatial_(spatial) {
  factors_.fill(unit_extents);
  factors_[0] = temporal_bounds(problem.layer.bounds, spatial);
  for (auto& level : order_)
    for (std::size_t i = 0; i < group_dim_count; ++i) level[i] = index_of(order[i]);
}

// Returns the memory of an operand's loops at a level: the level's own memory, or the next memory outward
// that the operand may use.
std::size_t LevelNest::holder(std::size_t level, Operand operand) const {
  const PimMachine& machine = problem_->machine;
  const std::size_t home = machine.home(operand);
  for (std::size_t m = level + 1; m-- > home + 1;) {
    if (!machine.memories[m].operands.contains(operand)) continue;
    if (m == machine.innermost(operand)) return m;
    if (!problem_->constraints.must_not_use[m].contains(operand) && !bypassed_[m].contains(operand)) return m;
  }
  return home;
}

bool LevelNest::may_bypass(std::size_t level, Operand operand) const {
  const PimMachine& machine = problem_->machine;
  return !problem_->table && machine.memories[level].operands.contains(operand) &&
         level != machine.home(operand) && level != machine.innermost(operand) &&
         !problem_->constraints.must_not_use[level].contains(operand);
}

void LevelNest::toggle(std::size_t level, Operand operand) {
  if (bypassed_[level].contains(operand))
    bypassed_[level].erase(operand);
  else
    bypassed_[level].insert(operand);
}

PimMapping LevelNest::mapping() const {
  PimMapping mapping;
  for (std::size_t x = 0; x < operand_count; ++x) mapping.layouts[x].kind = layouts_[x];
  mapping.nest.spatial = spatial_;
  for (std::size_t level = 0; level < levels(); ++level)
    for (const std::size_t d : order_[level]) {
      if (factors_[level][d] == 1) continue;
      Loop loop{.dim = static_cast<Dim>(d), .factor = factors_[level][d]};
      for (const Operand operand : all_operands)
        loop.at[index_of(operand)] = static_cast<std::uint8_t>(holder(level, operand));
      mapping.nest.loops.push_back(loop);
    }
  if (problem_->table) mapping.stored = stored_pairs(*problem_);
  nestor::normalise(mapping.nest, problem_->layer, problem_->machine);
  return mapping;
}

}  // namespace nestor::pim
