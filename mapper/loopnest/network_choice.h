// Choice of one mapping per layer from the layers' latency-energy fronts, so that an objective of the whole
// network is least: `map --scope network`. Layers run one after the other, so latencies and energies add up.
// The EDP of a network is the product of its totals, which the least EDP of every layer does not minimise.
//
// Exactness. (1) Each objective f(L, E) here increases with both totals and is quasi-concave for positive
// ones (a weighted sum is linear, and the product of two positive numbers is quasi-concave). Over a convex
// set its minimum is therefore at an extreme point. The convex hull of all totals is the sum of the hulls of
// the layers' fronts. Each of its extreme points is reached if every copy of a layer takes the same supported
// point, for one common weight of latency against energy. Following the lower hull through all weights thus
// finds the optimum without limits. (2) Under limits of the totals, unsupported points and different points
// for copies of one layer can be better. Copies are then added one at a time, and only partial totals that no
// other dominates are kept: any completion of a dominated one is also a completion of the other, which is no
// worse in either total. A partial total is dropped if the least f over the hull of the remaining copies, cut
// off at the limits, is not below the best complete choice.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/checked.h"
#include "base/status.h"
#include "model/loopnest/objective_kind.h"
#include "solver/engine/stop_source.h"

namespace nestor::mapper {

struct FrontPoint {
  Int latency = 0;
  double energy = 0;  ///< including leakage
};

/// A layer with any points, one of which is chosen for each of its copies. All latencies and energies are
/// nonnegative.
struct LayerFront {
  Int copies = 1;
  std::vector<FrontPoint> points;
  /// False if other points may exist, anywhere above `least`.
  bool proved = true;
  FrontPoint least = {};
};

struct NetworkObjective {
  ObjectiveKind kind = ObjectiveKind::edp;  ///< latency, energy, edp or blended
  double latency_weight = 1;                ///< weight of the total, for `blended`
  double energy_weight = 1;
  std::optional<double> latency_limit = std::nullopt;  ///< limit of the total
  std::optional<double> energy_limit = std::nullopt;

  double value(double latency, double energy) const;
};

struct CopiesAt {
  std::size_t point = 0;  ///< index in the layer's front
  Int copies = 0;
};

struct NetworkChoice {
  /// Optimal, or infeasible under the limits. Otherwise work_limit, time_limit or interrupted, with the best
  /// choice so far; also if fronts are not proved.
  Status status = Status::optimal;
  std::vector<std::vector<CopiesAt>> layers;  ///< empty without a choice
  double latency = 0;                         ///< total of the choice
  double energy = 0;
  double objective = 0;
  double lower_bound = 0;
  /// Least totals over all choices of points, which show the limits that can be met.
  double least_latency = 0;
  double least_energy = 0;  ///< within the limit of latency, if that can be met
};

/// Returns the best choice. Every layer must have a point. `most_labels` limits the number of partial totals
/// that are kept.
NetworkChoice choose_points(std::span<const LayerFront> layers, const NetworkObjective& objective,
                            const StopSource& stop, std::size_t most_labels = 4'000'000);

}  // namespace nestor::mapper
