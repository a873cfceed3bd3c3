// The spatial choices of a problem one after another, in the order of SpatialEnumerator, for a search that
// may be left between any two of them: the state is the choice itself.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

class ChoiceCursor {
 public:
  ChoiceCursor() = default;
  ChoiceCursor(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(&problem), machine_(&machine), lattices_(&lattices) {}

  /// To the first choice; false if there is none.
  bool first() { return find(0, true); }
  /// To the one after; false at the end.
  bool next() { return find(machine_->axes.size() * dim_count, false); }
  const SpatialChoice& choice() const { return choice_; }

 private:
  // One place for each axis and dimension, numbered in this order.
  bool find(std::size_t place, bool forward);
  bool raise(std::size_t axis, std::size_t dim);
  bool allows(std::size_t axis, std::size_t dim, LatticeNode node) const;
  AxisRules rules() const { return {*problem_, *machine_, *lattices_}; }
  Int carried(std::size_t axis, std::size_t dim) const;
  bool utilised(std::size_t axis) const;

  const NestProblem* problem_ = nullptr;
  const Hierarchy* machine_ = nullptr;
  const Lattices* lattices_ = nullptr;
  SpatialChoice choice_;
};

}  // namespace nestor
