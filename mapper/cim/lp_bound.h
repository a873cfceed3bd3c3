// Bound on a spatial choice from linear programs (model/cim/linear), expressed in the search's objective. The
// programs bound energy and, under the `stall` model, latency.
#pragma once

#include <span>
#include <utility>

#include "mapper/cim/request.h"
#include "model/cim/space/cim_space.h"
#include "solver/engine/stop_source.h"
#include "solver/search/label_search.h"

namespace nestor::mapper {

/// Maximum number of open choices that are bounded after a stopped run, in ascending order of their bounds.
inline constexpr std::size_t most_stopped_choices = 32;

/// Limit on the linear programs for one choice and one cost. The first program of each pattern of memory use
/// is always solved.
inline constexpr int programs_per_choice = 200;

class LpBound {
 public:
  /// True if the programs can bound the objective.
  static bool applies(const cim::CimProblem& problem) {
    if (!(problem.layer.relevance == Relevance::convolution())) return false;  // other layers are unsupported
    return bounds_energy(problem.objective) || bounds_latency(problem.objective);
  }

  struct Result {
    /// Lower bound on the cost of the choice; infinite if the choice has no mapping.
    double bound = no_bound;
    std::uint64_t programs = 0;
    std::uint64_t pivots = 0;
  };

  /// `problem` and `choices` must outlive this object. Once `stop` is requested, bounds may be weaker.
  LpBound(const cim::CimProblem& problem, const ChoiceList& choices, const StopSource& stop)
      : problem_(problem), choices_(choices), stop_(stop) {}

  /// Returns a bound on the choice. Stops as soon as the bound reaches `enough`. Thread-safe.
  Result operator()(std::size_t choice, double enough) const;

  /// Returns a lower bound on the costs of all choices in `open`, which contains pairs (choice, bound);
  /// infinite if it is empty. Repeatedly raises the least bound. Ends if the choice with the least bound was
  /// already processed, after most_stopped_choices choices, or when a stop is requested.
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
