// A nest with one level per memory, the simplest form of an even mapping: what the priority construction
// changes.
#pragma once

#include "model/pim/search/problem.h"

namespace nestor::pim {

class LevelNest {
 public:
  /// Every factor that the axes leave at the outermost level.
  LevelNest(const Problem& problem, const std::array<Extents, max_axes>& spatial);

  std::size_t levels() const { return problem_->machine.memories.size(); }
  Int factor(std::size_t level, std::size_t dim) const { return factors_[level][dim]; }
  void move(std::size_t from, std::size_t to, std::size_t dim, Int prime) {
    factors_[from][dim] /= prime;
    factors_[to][dim] *= prime;
  }
  void exchange(std::size_t level, std::size_t position) {
    std::swap(order_[level][position], order_[level][position + 1]);
  }
  std::size_t dim_at(std::size_t level, std::size_t position) const { return order_[level][position]; }
  /// Canonical; capacities and constraints may be violated.
  PimMapping mapping() const;

 private:
  std::size_t holder(std::size_t level, Operand operand) const;

  const Problem* problem_;
  std::array<Extents, max_axes> spatial_;
  std::array<Extents, max_memories> factors_;
  std::array<std::array<std::size_t, dim_count>, max_memories> order_{};  // outermost first
};

}  // namespace nestor::pim
