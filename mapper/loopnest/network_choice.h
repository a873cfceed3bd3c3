// Choice of one mapping per layer from the layers' latency-energy fronts, so that an objective of the whole
// network is least: `map --scope network`. Layers run one after another, so latencies and energies add up;
// the EDP of a network is the product of its totals, which the least EDP of every layer does not minimise.
//
// Exactness. (1) Each objective f(L, E) here grows with both totals and is quasi-concave for positive ones (a
// weighted sum is linear, the product of two positive numbers is quasi-concave), so over a convex set its
// minimum lies at an extreme point. The convex hull of all totals is the sum of the hulls of the layers'
// fronts, and each of its extreme points is reached where every copy of a layer takes the same supported
// point, for one common weight of latency against energy. Walking the lower hull through all weights
// therefore finds the optimum without limits. (2) Under limits of the totals, unsupported points and
// different points for copies of one layer can be better. Then copies are added one at a time, and of partial
// totals those that no other dominates are kept: any completion of a dominated one is a completion of the
// other, no worse in either total. A partial total is dropped where the least f over the hull of what is
// still to add, cut off at the limits, does not lie below the best complete choice.
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
  double energy = 0;  ///< with leakage
};

/// A layer: any points, of which each of its copies takes one. All latencies and energies are positive or
/// zero.
struct LayerFront {
  Int copies = 1;
  std::vector<FrontPoint> points;
  /// False: other points may exist, anywhere above `least`.
  bool proved = true;
  FrontPoint least = {};
};

struct NetworkObjective {
  ObjectiveKind kind = ObjectiveKind::edp;  ///< latency, energy, edp or blended
  double latency_weight = 1;                ///< of blended, on the totals
  double energy_weight = 1;
  std::optional<double> latency_limit = std::nullopt;  ///< of the totals
  std::optional<double> energy_limit = std::nullopt;

  double value(double latency, double energy) const;
};

struct CopiesAt {
  std::size_t point = 0;  ///< of the layer's front
  Int copies = 0;
};

struct NetworkChoice {
  /// optimal; infeasible under the limits; work_limit, time_limit or interrupted, with the best choice so
  /// far, or where fronts are not proved.
  Status status = Status::optimal;
  std::vector<std::vector<CopiesAt>> layers;  ///< empty without a choice
  double latency = 0;                         ///< of the choice
  double energy = 0;
  double objective = 0;
  double lower_bound = 0;
  /// With any choice of points: what limits can be reached.
  double least_latency = 0;
  double least_energy = 0;  ///< within the limit of latency, where that can be kept
};

/// Every layer has a point. `most_labels` bounds the partial totals kept at once.
NetworkChoice choose_points(std::span<const LayerFront> layers, const NetworkObjective& objective,
                            const StopSource& stop, std::size_t most_labels = 4'000'000);

}  // namespace nestor::mapper
