// Iterator over the spatial choices of a problem, in the order of SpatialEnumerator. A search can pause it at
// any step, even between two choices: its state is the current choice and the place (an axis and a dimension)
// that is being changed.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

class ChoiceCursor {
 public:
  ChoiceCursor() = default;
  ChoiceCursor(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(&problem), machine_(&machine), lattices_(&lattices) {}

  /// Start moving to the first or to the next choice. The caller repeats step() until settled() is true.
  /// step() returns the approximate number of factors that it examined.
  void to_first() { set_out(0, true); }
  void to_next() { set_out(places(), false); }
  std::uint32_t step();
  bool settled() const { return settled_; }
  /// True if the cursor is at a choice; false if no choice is left. Valid once settled() is true.
  bool at_choice() const { return forward_; }
  const SpatialChoice& choice() const { return choice_; }

 private:
  // There is one place for each axis and dimension, numbered in this order.
  std::size_t places() const { return machine_->axes.size() * dim_count; }
  void set_out(std::size_t place, bool forward) {
    place_ = static_cast<std::uint16_t>(place);
    forward_ = forward;
    settled_ = false;
  }
  bool place(std::size_t axis, std::size_t dim, std::size_t from, std::uint32_t& looked_at);
  AxisRules rules() const { return {*problem_, *machine_, *lattices_}; }
  Int carried(std::size_t axis, std::size_t dim) const;
  bool utilised(std::size_t axis) const;

  const NestProblem* problem_ = nullptr;
  const Hierarchy* machine_ = nullptr;
  const Lattices* lattices_ = nullptr;
  SpatialChoice choice_;
  std::uint16_t place_ = 0;
  bool forward_ = true;
  bool settled_ = true;
};

}  // namespace nestor
