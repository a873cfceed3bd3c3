// All spatial choices of a problem with a bound each that costs next to nothing: the branches of the cim
// space.
#pragma once

#include <vector>

#include "model/cim/space/spatial_choice.h"

namespace nestor::cim {

class ChoiceList {
 public:
  explicit ChoiceList(const Problem& problem);
  ChoiceList(const ChoiceList&) = delete;
  ChoiceList& operator=(const ChoiceList&) = delete;

  const Problem& problem() const { return problem_; }
  const Lattices& lattices() const { return lattices_; }
  /// Arena bytes that the lattices of any one branch need.
  std::size_t lattice_bytes() const { return lattice_memory_.size(); }
  std::size_t count() const { return choices_.size(); }
  const SpatialChoice& choice(std::size_t i) const { return choices_[i]; }
  double bound(std::size_t i) const { return bounds_[i]; }

 private:
  double trivial_bound(const SpatialChoice& choice) const;

  Problem problem_;
  std::vector<std::byte> lattice_memory_;
  Lattices lattices_;
  std::vector<SpatialChoice> choices_;
  std::vector<double> bounds_;
};

}  // namespace nestor::cim
