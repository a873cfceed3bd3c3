// `map --scope network` in the loop-nest spaces: the objective and limits for the totals, and the choice
// among the layers' fronts after the search (mapper/loopnest/network_choice.h).
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
  Status status = Status::optimal;  ///< status of the search for its front
  std::vector<mapper::FrontPoint> points;
};

/// Returns the objective and limits that the options specify.
io::Result<mapper::NetworkObjective> network_objective(const io::RunOptions& options);

/// Chooses a point for every layer; layers of the same shape are treated together. `layers` is empty in the
/// result if a layer has no point, the limits cannot be met, or no choice was found.
io::NetworkOptimum choose_for_network(std::span<const LayerPoints> layers, const UniqueShapes& shapes,
                                      const io::RunOptions& options,
                                      const mapper::NetworkObjective& objective,
                                      const mapper::Resources& resources);

bool has_points(std::span<const LayerPoints> layers);

/// Explains why the limits cannot be met, with the best values that can be reached.
io::Error limits_not_kept(std::span<const LayerPoints> layers, const mapper::NetworkObjective& objective);

/// Returns a text with the point of every layer and the totals. If EDP is minimised, it also states the gain
/// over minimising the EDP of every layer.
std::string network_optimum_text(const io::NetworkOptimum& optimum, std::span<const LayerPoints> layers);

}  // namespace nestor::app
