// Choice of one mapping per layer from the layers' latency-energy fronts, so that an objective of the whole
// network is minimal: `map --scope network`. Layers run one after the other, so latencies and energies add
// up. The EDP of a network is the product of its totals; minimising the EDP of every layer does not minimise
// it.
//
// Exactness. (1) Each objective f(L, E) here increases with both totals and is quasi-concave where they are
// positive (a weighted sum is linear, and the product of two positive numbers is quasi-concave). Over a
// convex set its minimum is therefore at an extreme point. The convex hull of all totals is the sum of the
// hulls of the layers' fronts. Each of its extreme points is reached if, for one common weight of latency
// against energy, every copy of a layer uses the same supported point. Without limits, following the lower
// hull through all weights thus finds the optimum. (2) Under limits on the totals, unsupported points and
// different points for copies of one layer can be better. Copies are then added one at a time, and only
// nondominated partial totals are kept: any completion of a dominated total is also a completion of the
// dominating one, which is no worse in latency or energy. A partial total is dropped if the least f over the
// hull of the remaining copies, cut off at the limits, is not below the best complete choice.
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

/// A layer and its points, which need not form a front. One point is chosen for each copy of the layer. All
/// latencies and energies are nonnegative.
struct LayerFront {
  Int copies = 1;
  std::vector<FrontPoint> points;
  /// False if there may be other points. The latency and energy of such points are at least those of `least`.
  bool proved = true;
  FrontPoint least = {};
};

struct NetworkObjective {
  ObjectiveKind kind = ObjectiveKind::edp;  ///< latency, energy, edp or blended
  double latency_weight = 1;                ///< weight of total latency, for `blended`
  double energy_weight = 1;
  std::optional<double> latency_limit = std::nullopt;  ///< limit on total latency
  std::optional<double> energy_limit = std::nullopt;

  double value(double latency, double energy) const;
};

struct CopiesAt {
  std::size_t point = 0;  ///< index in the layer's front
  Int copies = 0;
};

struct NetworkChoice {
  /// Optimal, or infeasible under the limits. Otherwise work_limit, time_limit or interrupted, with the best
  /// choice so far. If a front is not proved, `optimal` refers only to the given points.
  Status status = Status::optimal;
  std::vector<std::vector<CopiesAt>> layers;  ///< empty if no choice was found
  double latency = 0;                         ///< total latency of the choice
  double energy = 0;
  double objective = 0;
  double lower_bound = 0;
};

/// Returns the best choice. Every layer must have a point. `most_labels` limits the number of stored partial
/// totals.
NetworkChoice choose_points(std::span<const LayerFront> layers, const NetworkObjective& objective,
                            const StopSource& stop, std::size_t most_labels = 4'000'000);

}  // namespace nestor::mapper
