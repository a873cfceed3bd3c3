// The bound of linear programs on a spatial choice (model/cim/linear), in terms of what a search minimises:
// its least energy and, under the `stall` model, its least latency.
#pragma once

#include <span>
#include <utility>

#include "mapper/cim/request.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/stop_source.h"
#include "solver/search/label_search.h"

namespace nestor::mapper {

/// How many open choices of a stopped run are looked at, those of least bound first.
inline constexpr std::size_t most_stopped_choices = 32;

/// Linear programs that may be spent on one choice; those of the patterns of use come on top.
inline constexpr int programs_per_choice = 200;

class LpBound {
 public:
  /// Whether the programs have anything to say of the objective.
  static bool applies(const cim::CimProblem& problem) {
    if (!(problem.layer.relevance == Relevance::convolution())) return false;  // the programs know no other
    return bounds_energy(problem.objective) || bounds_latency(problem.objective);
  }

  struct Result {
    double bound = no_bound;  ///< no mapping of the choice costs less; infinite if there is none
    std::uint64_t programs = 0;
    std::uint64_t pivots = 0;
  };

  /// `problem` and its `choices` outlive this. Once `stop` says so, bounds may be weaker than they could be.
  LpBound(const cim::CimProblem& problem, const ChoiceList& choices, const StopSource& stop)
      : problem_(problem), choices_(choices), stop_(stop) {}

  /// Works no longer than until the bound reaches `enough`. Thread-safe.
  Result operator()(std::size_t choice, double enough) const;

  /// A bound on the open choices, given as (choice, bound): as long as the least of them has not been looked
  /// at, it is. Infinite if nothing is open.
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
