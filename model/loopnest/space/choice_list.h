// All spatial choices of a problem with a bound each that costs next to nothing: the branches of a loop-nest
// space. What a choice costs at least, and which choices a space forbids beyond the axes' own rules, is
// passed in.
#pragma once

#include <functional>
#include <vector>

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

/// What a space adds to the enumeration.
struct ChoiceRules {
  /// A lower bound on the cost of every mapping whose temporal loops have so many iterations together. Never
  /// falls with the steps.
  std::function<double(Int steps)> bound;
  /// Choices whose bound is not below this are not listed.
  double worth = no_cost;
  /// Whether the space allows a choice; without, every choice is allowed. Symmetric where the problem is.
  std::function<bool(const SpatialChoice& choice)> allows = {};
  /// Asked now and then; may end the enumeration. `bytes` is what the list takes so far.
  std::function<bool(std::size_t bytes)> go_on = {};
};

class ChoiceList {
 public:
  /// Problem and machine outlive the list.
  ChoiceList(const NestProblem& problem, const Hierarchy& machine, const ChoiceRules& rules);
  ChoiceList(const ChoiceList&) = delete;
  ChoiceList& operator=(const ChoiceList&) = delete;

  const Lattices& lattices() const { return lattices_; }
  /// Arena bytes that the lattices of any one branch need.
  std::size_t lattice_bytes() const { return lattice_memory_.size(); }
  /// False if the enumeration was ended early, or a bound has too many divisors to begin.
  bool complete() const { return complete_; }
  std::size_t axes() const { return axes_; }
  std::size_t count() const { return choices_.size(); }
  const SpatialChoice& choice(std::size_t i) const { return choices_[i]; }
  double bound(std::size_t i) const { return bounds_[i]; }
  /// The factors of a choice, as in Mapping::spatial.
  SpatialFactors spatial(std::size_t i) const;
  /// Iterations of all temporal loops together.
  Int steps(std::size_t i) const { return temporal_steps(choices_[i], lattices_, axes_); }

 private:
  std::size_t axes_;
  std::vector<std::byte> lattice_memory_;
  Lattices lattices_;
  std::vector<SpatialChoice> choices_;
  std::vector<double> bounds_;
  bool complete_ = true;
};

/// No choice, listed or not, leaves fewer steps.
Int least_steps(const NestProblem& problem, const Hierarchy& machine);

}  // namespace nestor
