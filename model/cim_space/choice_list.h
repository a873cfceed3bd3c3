// All spatial choices of a problem with a bound each that costs next to nothing: the branches of the cim
// space.
#pragma once

#include <functional>
#include <vector>

#include "model/cim/space/spatial_choice.h"

namespace nestor::cim {

class ChoiceList {
 public:
  /// `go_on(bytes)`, asked now and then, may end the enumeration; `bytes` is what the list takes so far.
  using GoOn = std::function<bool(std::size_t bytes)>;
  explicit ChoiceList(const Problem& problem, const GoOn& go_on = {});
  ChoiceList(const ChoiceList&) = delete;
  ChoiceList& operator=(const ChoiceList&) = delete;

  const Problem& problem() const { return problem_; }
  const Lattices& lattices() const { return lattices_; }
  /// Arena bytes that the lattices of any one branch need.
  std::size_t lattice_bytes() const { return lattice_memory_.size(); }
  /// False if the enumeration was ended early, or a bound has too many divisors to begin.
  bool complete() const { return complete_; }
  /// A lower bound on all choices, listed or not.
  double bound_of_all() const;
  std::size_t count() const { return choices_.size(); }
  const SpatialChoice& choice(std::size_t i) const { return choices_[i]; }
  double bound(std::size_t i) const { return bounds_[i]; }
  /// The factors of a choice, as in Mapping::spatial.
  std::array<Extents, max_axes> spatial(std::size_t i) const;
  /// Cycles that a choice takes at least: every step takes an MVM.
  Int least_latency(std::size_t i) const { return least_latency(choices_[i]); }
  /// What the additive part of the objective is at least, whatever the choice.
  double least_additive() const { return least_additive_; }

 private:
  Int least_latency(const SpatialChoice& choice) const;
  double trivial_bound(Int latency) const;

  Problem problem_;
  double least_additive_;
  std::vector<std::byte> lattice_memory_;
  Lattices lattices_;
  std::vector<SpatialChoice> choices_;
  std::vector<double> bounds_;
  bool complete_ = true;
};

}  // namespace nestor::cim
