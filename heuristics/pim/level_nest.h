// A nest with one level per memory, the simplest form of an even mapping: what first mappings are made from
// by small changes. Each can be taken back by its opposite.
#pragma once

#include "model/pim/search/problem.h"

namespace nestor::pim {

/// The order of the loops of a level, outermost first. PIM layers have no groups as a dimension.
using DimOrder = std::array<Dim, group_dim_count>;

class LevelNest {
 public:
  /// Every factor that the axes leave at the outermost level, all levels in one order, nothing bypassed.
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
  /// Whether an operand may pass by a memory or be stored in it.
  bool may_bypass(std::size_t level, Operand operand) const;
  /// Stored, it passes by from now on; and the other way round.
  void toggle(std::size_t level, Operand operand);
  void set_layout(Operand operand, LayoutKind kind) { layouts_[index_of(operand)] = kind; }
  LayoutKind layout(Operand operand) const { return layouts_[index_of(operand)]; }
  std::size_t dim_at(std::size_t level, std::size_t position) const { return order_[level][position]; }
  /// Canonical; capacities and constraints may be violated.
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
