// List of the spatial choices of a problem, each with a cheap bound. Every choice is a branch of a loop-nest
// space. The caller provides the bound, and a further rule if the space forbids choices that AxisRules
// allows. Of two choices that mirror each other in a symmetric problem, only one is listed.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

/// Rules that a space adds to the enumeration.
struct ChoiceRules {
  /// Lower bound on the cost of every mapping whose temporal loops have `steps` iterations in total. It must
  /// not decrease when the steps increase.
  std::function<double(Int steps)> bound;
  /// Choices are listed only if their bound is below this value.
  double worth = no_cost;
  /// True if the space allows a choice; if empty, every choice is allowed. It must be symmetric if the
  /// problem is symmetric.
  std::function<bool(const SpatialChoice& choice)> allows = {};
  /// Of choices with the same representative, only the first is listed. If empty, all are listed. It must
  /// commute with mirror() if the problem is symmetric.
  std::function<SpatialChoice(const SpatialChoice& choice)> representative = {};
  /// Called at intervals with the bytes that the list uses so far. Returns false to stop the enumeration.
  std::function<bool(std::size_t bytes)> go_on = {};
};

class ChoiceList {
 public:
  /// The problem and the machine must outlive the list.
  ChoiceList(const NestProblem& problem, const Hierarchy& machine, const ChoiceRules& rules);
  ChoiceList(const ChoiceList&) = delete;
  ChoiceList& operator=(const ChoiceList&) = delete;

  const Lattices& lattices() const { return lattices_; }
  /// Returns the arena bytes that the lattices of any single branch need.
  std::size_t lattice_bytes() const { return lattice_memory_.size(); }
  /// False if the enumeration stopped early, or could not start because a bound has too many divisors.
  bool complete() const { return complete_; }
  std::size_t axes() const { return axes_; }
  std::size_t count() const { return choices_.size(); }
  const SpatialChoice& choice(std::size_t i) const { return choices_[i]; }
  double bound(std::size_t i) const { return bounds_[i]; }
  void raise_bound(std::size_t i, double bound) { bounds_[i] = std::max(bounds_[i], bound); }
  /// Returns the index of a choice, of its mirror image, or of the choice that represents it, or nothing if
  /// the list contains none of them.
  std::optional<std::size_t> find(const SpatialChoice& wanted) const;
  /// Returns the factors of a choice, as in Mapping::spatial.
  SpatialFactors spatial(std::size_t i) const;
  /// Returns the total number of iterations of all temporal loops.
  Int steps(std::size_t i) const { return temporal_steps(choices_[i], lattices_, axes_); }

 private:
  // Returns the same text for all choices with one representative.
  std::string class_of(const SpatialChoice& choice) const;

  std::size_t axes_;
  std::vector<std::byte> lattice_memory_;
  Lattices lattices_;
  std::vector<SpatialChoice> choices_;
  std::vector<double> bounds_;
  bool symmetric_ = false;
  std::function<SpatialChoice(const SpatialChoice& choice)> representative_;
  HashMap<std::string, std::size_t> classes_;  // index of the listed choice; empty without representatives
  bool complete_ = true;
};

/// Returns a lower bound on the temporal steps of every choice, listed or not.
Int least_steps(const NestProblem& problem, const Hierarchy& machine);

}  // namespace nestor
