// `map --scope network` in every loop-nest space: what it asks of the totals, and the choice made of the
// layers' fronts once they are searched (mapper/loopnest/network_choice.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/options.h"
#include "mapper/loopnest/network_choice.h"
#include "mapper/loopnest/resources.h"
#include "model/workload/unique_shapes.h"
#include "report/results/result_parts.h"

namespace nestor::app {

/// A layer of the network and its front.
struct LayerPoints {
  std::string name;
  Int repeat = 1;
  Status status = Status::optimal;  ///< of the search for its front
  std::vector<mapper::FrontPoint> points;
};

/// Objective and --limit as the options say.
io::Result<mapper::NetworkObjective> network_objective(const io::RunOptions& options);

/// The choice for the layers, those of one shape taken together. Without `layers` in it where a layer has no
/// point or the limits cannot be kept.
io::NetworkOptimum choose_for_network(std::span<const LayerPoints> layers, const UniqueShapes& shapes,
                                      const io::RunOptions& options,
                                      const mapper::NetworkObjective& objective,
                                      const mapper::Resources& resources);

bool has_points(std::span<const LayerPoints> layers);

/// Why limits cannot be kept, with the best that can be reached.
io::Error limits_not_kept(std::span<const LayerPoints> layers, const mapper::NetworkObjective& objective);

/// Which point every layer takes, the totals, and what is gained over the layers' own optima.
std::string network_optimum_text(const io::NetworkOptimum& optimum, std::span<const LayerPoints> layers);

}  // namespace nestor::app
