// A loop nest with one level of loops per memory, shared by all operands (an even mapping). The heuristics
// change it by small, reversible steps.
#pragma once

#include "model/pim/search/problem.h"

namespace nestor::pim {

/// Order of the loops of a level, outermost first. PIM layers have no group dimension.
using DimOrder = std::array<Dim, group_dim_count>;

class LevelNest {
 public:
  /// Puts all factors that are not unrolled on axes at the outermost level. All levels have the same order,
  /// and no memory is bypassed.
  LevelNest(const PimProblem& problem, const SpatialFactors& spatial, const DimOrder& order);

  std::size_t levels() const { return problem_->machine.memories.size(); }
  Int factor(std::size_t level, std::size_t dim) const { return factors_[level][dim]; }
  void move(std::size_t from, std::size_t to, std::size_t dim, Int prime) {
    factors_[from][dim] /= prime;
    factors_[to][dim] *= prime;
  }
  void exchange(std::size_t level, std::size_t position) {
    std::swap(order_[level][position], order_[level][position + 1]);
  }
  /// True if toggle() is possible: the operand may bypass the memory, or may be stored in it again.
  bool may_bypass(std::size_t level, Operand operand) const;
  /// Switches between storing an operand in a memory and bypassing it.
  void toggle(std::size_t level, Operand operand);
  void set_layout(Operand operand, LayoutKind kind) { layouts_[index_of(operand)] = kind; }
  LayoutKind layout(Operand operand) const { return layouts_[index_of(operand)]; }
  /// Returns a canonical mapping, which may violate capacities and constraints.
  PimMapping mapping() const;

 private:
  std::size_t holder(std::size_t level, Operand operand) const;

  const PimProblem* problem_;
  SpatialFactors spatial_;
  std::array<Extents, max_memories> factors_;
  std::array<std::array<std::size_t, group_dim_count>, max_memories> order_{};  // outermost first
  std::array<OperandSet, max_memories> bypassed_{};
  std::array<LayoutKind, operand_count> layouts_{};
};

}  // namespace nestor::pim
