// Quantisation of a model to integers (docs/models/chip.md, "Weights"). The scales of tensors come from a run
// of the float graph on images, or from a graph that is already quantised. Weights, biases, multipliers and
// tables are computed from the scales by rounding.
#pragma once

#include <variant>
#include <vector>

#include "base/stop_signal.h"
#include "model/chip/network.h"
#include "model/chip/program/numbers.h"
#include "model/chip/real_model.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

struct Calibration {
  /// Images in the layout of the chip; if empty, one seeded image is used.
  std::vector<std::vector<double>> images;
  bool per_tensor = false;
  const StopSignal* stop = nullptr;  ///< a requested stop ends the calibration with a fault
};

/// Returns the integers of every operator of a network before splitting, for images on its first input.
std::variant<chip_program::ProgramNumbers, Fault> quantise(const nestor::chip::ChipNetwork& network,
                                                           const nestor::chip::RealModel& model,
                                                           const Calibration& calibration);

/// Returns an image for the network's first input, with elements uniformly distributed in (-1, 1).
std::vector<double> seeded_image(const nestor::chip::ChipNetwork& network);

/// Returns round(x / scale) + zero, clamped to [low, high]; halves are rounded away from zero
/// (docs/models/chip.md (10.1)).
Int quantised(double x, const nestor::chip::TensorFormat& format);

/// Multiplier M = mul / 2^shift, where |mul| has 31 bits unless the shift is at its limit of 1 or 62
/// (docs/models/chip.md (10.2)).
struct Multiplier {
  Int mul = 0, shift = 1;
};
Multiplier multiplier(double ratio);

}  // namespace nestor::sim::chip
