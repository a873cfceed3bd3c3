// The spatial choices of a problem one after another, in the order of SpatialEnumerator, for a search that
// may be left anywhere, between two of them too: the state is the choice itself and the place that is raised.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

class ChoiceCursor {
 public:
  ChoiceCursor() = default;
  ChoiceCursor(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices)
      : problem_(&problem), machine_(&machine), lattices_(&lattices) {}

  /// Sets out for the first choice, or for the one after. step() is called until it is settled whether there
  /// is one; it returns about how many factors it looked at.
  void to_first() { set_out(0, true); }
  void to_next() { set_out(places(), false); }
  std::uint32_t step();
  bool settled() const { return settled_; }
  /// Once that is settled.
  bool at_choice() const { return forward_; }
  const SpatialChoice& choice() const { return choice_; }

 private:
  // One place for each axis and dimension, numbered in this order.
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
