// Bound from linear programs on a spatial choice (model/cim/linear), in terms of the search's objective: the
// least energy and, under the `stall` model, the least latency.
#pragma once

#include <span>
#include <utility>

#include "mapper/cim/request.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/stop_source.h"
#include "solver/search/label_search.h"

namespace nestor::mapper {

/// Maximum number of open choices that are bounded after a stopped run, those of least bound first.
inline constexpr std::size_t most_stopped_choices = 32;

/// Maximum number of linear programs for one choice, not counting those of the patterns of use.
inline constexpr int programs_per_choice = 200;

class LpBound {
 public:
  /// True if the programs can bound the objective.
  static bool applies(const cim::CimProblem& problem) {
    if (!(problem.layer.relevance == Relevance::convolution())) return false;  // others are unsupported
    return bounds_energy(problem.objective) || bounds_latency(problem.objective);
  }

  struct Result {
    double bound = no_bound;  ///< lower bound on the cost of the choice; infinite without a mapping
    std::uint64_t programs = 0;
    std::uint64_t pivots = 0;
  };

  /// `problem` and `choices` must outlive this object. After a request to stop, bounds may be weaker.
  LpBound(const cim::CimProblem& problem, const ChoiceList& choices, const StopSource& stop)
      : problem_(problem), choices_(choices), stop_(stop) {}

  /// Stops as soon as the bound reaches `enough`. Thread-safe.
  Result operator()(std::size_t choice, double enough) const;

  /// Returns a bound on the open choices, given as (choice, bound). It raises the least bound repeatedly, and
  /// stops when the choice with the least bound has already been processed. Infinite if no choice is open.
  double of_all(std::span<const std::pair<std::size_t, double>> open, double enough) const;

 private:
  static bool bounds_energy(const cim::CimObjective& objective) {
    return objective.needs_additive() && objective.additive_is_energy();
  }
  static bool bounds_latency(const cim::CimObjective& objective) {
    using Kind = cim::ObjectiveKind;
    const bool counts = objective.kind == Kind::latency || objective.kind == Kind::edp ||
                        (objective.kind != Kind::energy && objective.latency_weight > 0);
    return counts && objective.latency_model == cim::LatencyModel::stall;
  }
  double energy_at(double cost, double latency) const;
  double latency_at(double cost, double additive) const;

  const cim::CimProblem& problem_;
  const ChoiceList& choices_;
  const StopSource& stop_;
};

}  // namespace nestor::mapper
