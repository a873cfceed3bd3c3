// Padding: loop bounds slightly larger than a layer's own. For example, 197 is prime and fits few axes; 200
// fits many. A padded layer also computes the extra elements, so its cost is that of the padded nest. Padding
// is chosen only if it is nevertheless cheaper.
//
// The optimum covers all bounds that the padding allows. docs/models/padding.md shows which bounds need no
// search: those whose least cost reaches the incumbent's and, if no cost decreases when a factor grows, those
// with a prime factor that could be smaller (is_reducible).
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "model/loopnest/search/nest_problem.h"
#include "model/loopnest/search/spatial_choice.h"
#include "solver/engine/parts.h"

namespace nestor::mapper {

/// Allowed growth of bounds.
struct Padding {
  double percent = 0;         ///< any larger bound within this percentage is allowed
  bool to_multiples = false;  ///< the next multiples of 2, 4 and 8 are allowed, and `percent` is ignored

  bool is_wanted() const { return percent > 0 || to_multiples; }
};

/// Returns the possible padded values of a bound, ascending, starting with the bound itself.
std::vector<Int> padded_bounds(Int bound, const Padding& padding);
/// Returns the possible padded values of a dimension's bound. A layer without groups is not padded in groups.
inline std::vector<Int> padded_bounds(const Extents& own, std::size_t dim, const Padding& padding) {
  if (static_cast<Dim>(dim) == Dim::G && own[dim] == 1) return {1};
  return padded_bounds(own[dim], padding);
}

/// True if the constraints are only limits on cost. Other constraints may require larger factors.
bool is_unconstrained(const Constraints& constraints);

/// True if bounds with a factor that could be smaller need no search (docs/models/padding.md), provided that
/// the costs of the problem never decrease when a factor grows.
inline bool leaves_out_reducible(const Padding& padding, std::size_t top, const Constraints& constraints) {
  return !padding.to_multiples && top == 1 && is_unconstrained(constraints);
}

/// Returns NestProblem::least_bounds of a padded shape. The least bounds of height and width are equal if
/// height and width are, so that mirrored choices stay mirrored.
Extents least_bounds_of(const Extents& own, const Extents& padded);

/// The padded shapes of a layer, with a lower bound on cost that depends only on their loop bounds.
template <typename Problem>
class PaddedShapes {
 public:
  struct Least {
    Int latency = 0;
    Cost additive = 0;
  };
  using Wanted = std::function<bool(const Least&)>;

  /// `own` is the problem of the layer itself. `reducible` states that no cost decreases when a factor grows;
  /// bounds whose factors could be smaller are then omitted.
  PaddedShapes(const Problem& own, const Padding& padding, bool reducible)
      : probe_(own), own_(own.layer.bounds) {
    for (std::size_t d = 0; d < dim_count; ++d) {
      bounds_[d] = padded_bounds(own_, d, padding);
      if (reducible)
        std::erase_if(bounds_[d], [&](Int bound) {
          bool could_be_less = false;
          for (const auto& factor : prime_factors(bound).factors)
            could_be_less |= bound != own_[d] && is_reducible(bound, factor.value, own_[d]);
          return could_be_less;
        });
      largest_[d] = bounds_[d].back();
    }
    // The sizes in eq14 reduce the objective, most for the largest bounds.
    if (own.objective.additive_is_energy()) return;
    for (std::size_t d = 0; d < dim_count; ++d) probe_.factors[d] = prime_factors(largest_[d]);
    gains_ = least_additive(probe_);
  }

  /// Returns a lower bound on the cost of all mappings of a shape, and of all shapes with larger bounds.
  Least least(const Extents& bounds) {
    probe_.layer.bounds = bounds;
    const bool gains = !probe_.objective.additive_is_energy();
    Int latency = least_latency(probe_, least_steps(probe_, probe_.machine));
    if constexpr (requires { transfer_floor(probe_); }) latency = std::max(latency, transfer_floor(probe_));
    return {latency, gains ? gains_ : least_additive(probe_)};
  }
  double least_of_all() { return combined(least(own_)); }
  double combined(const Least& least) const {
    return probe_.objective.combine(static_cast<Cost>(least.latency), least.additive);
  }

  /// Calls visit(bounds, bound) for every wanted shape except the layer's own. Shapes are sorted by bound if
  /// there are at most `most_sorted`; otherwise, they are sorted only within portions. `bound` is a lower
  /// bound on this shape and all later ones. If visit() or go_on() returns false, the enumeration ends and
  /// the result is false.
  template <typename Visit>
  bool each(const Wanted& wanted, const std::function<bool()>& go_on, Visit visit) {
    wanted_ = &wanted;
    go_on_ = &go_on;
    is_partial_ = false;
    found_.clear();
    Extents bounds = own_;
    return collect(0, bounds, visit) && visit_found(visit);
  }

 private:
  static constexpr std::size_t most_sorted = std::size_t{1} << 17U;
  struct Found {
    double bound = 0;
    Extents bounds{};
  };

  // Collects the wanted shapes that equal `bounds` in all dimensions before `dim`. From `dim` on, `bounds`
  // has the layer's own bounds. If a shape is not wanted, no larger shape is.
  template <typename Visit>
  bool collect(std::size_t dim, Extents& bounds, Visit& visit) {
    if (dim == dim_count) {
      if (bounds == own_) return true;
      if (found_.size() == most_sorted) {
        is_partial_ = true;
        if (!visit_found(visit)) return false;
      }
      found_.push_back({combined(least(bounds)), bounds});
      return found_.size() % 1024 != 0 || (*go_on_)();
    }
    bool goes_on = true;
    for (const Int bound : bounds_[dim]) {
      bounds[dim] = bound;
      if (!(*wanted_)(least(bounds))) break;
      goes_on = collect(dim + 1, bounds, visit);
      if (!goes_on) break;
    }
    bounds[dim] = own_[dim];
    return goes_on;
  }

  template <typename Visit>
  bool visit_found(Visit& visit) {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.bound < b.bound; });
    for (const Found& found : found_)
      if ((*wanted_)(least(found.bounds)) && !visit(found.bounds, is_partial_ ? least_of_all() : found.bound))
        return false;
    found_.clear();
    return true;
  }

  Problem probe_;  // its bounds change from shape to shape
  Extents own_;
  Extents largest_{};
  std::array<std::vector<Int>, dim_count> bounds_;
  Cost gains_ = 0;
  const Wanted* wanted_ = nullptr;
  const std::function<bool()>* go_on_ = nullptr;
  bool is_partial_ = false;  // true if the shapes are sorted in portions
  std::vector<Found> found_;
};

/// Searches the wanted padded shapes of a layer until a search is cut short. `proof` is initially the proof
/// for the layer's own bounds, and finally for all shapes. problem_at(bounds) returns the problem of a shape,
/// or nothing if the machine does not admit it; search(problem) returns the proof for it.
template <typename Problem, typename ProblemAt, typename Search>
void prove_padded(PaddedShapes<Problem>& shapes, const typename PaddedShapes<Problem>::Wanted& wanted,
                  const StopSource& stop, Proof& proof, ProblemAt problem_at, Search search) {
  if (is_cut_short(proof.status)) {
    proof.bound = std::min(proof.bound, shapes.least_of_all());
    return;
  }
  double open = shapes.least_of_all();  // lower bound on the shapes not searched
  const auto visit = [&](const Extents& bounds, double bound) {
    open = bound;
    auto problem = problem_at(bounds);
    if (problem) proof = merge_alternatives(proof, search(*problem));
    return !is_cut_short(proof.status);
  };
  if (shapes.each(
          wanted, [&] { return !stop.requested(); }, visit))
    return;
  if (!is_cut_short(proof.status)) proof.status = stop.status();
  proof.bound = std::min(proof.bound, open);
}

}  // namespace nestor::mapper
