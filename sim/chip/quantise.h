// The integers of a model (docs/models/chip.md, "Weights"). Scales of tensors come from a run of the float
// graph on images, or are stated by a quantised graph. Weights, biases, multipliers and tables are computed
// from them by rounding.
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
  std::vector<std::vector<double>> images;  ///< images in the layout of the chip; if empty, a seeded one
  bool per_tensor = false;
  const StopSignal* stop = nullptr;  ///< ends the calibration with a fault
};

/// Returns the integers of every operator of a network before splitting, for images on its first input.
std::variant<chip_program::ProgramNumbers, Fault> quantise(const nestor::chip::ChipNetwork& network,
                                                           const nestor::chip::RealModel& model,
                                                           const Calibration& calibration);

/// Returns an image for the network's first input, uniform in [-1, 1).
std::vector<double> seeded_image(const nestor::chip::ChipNetwork& network);

/// Returns round(x / scale) + zero, clamped to low and high, with halves away from zero (docs/models/chip.md
/// (10.1)).
Int quantised(double x, const nestor::chip::TensorFormat& format);

/// |M| = mul / 2^shift with 31 bits of mul (docs/models/chip.md (10.2)).
struct Multiplier {
  Int mul = 0, shift = 1;
};
Multiplier multiplier(double ratio);

}  // namespace nestor::sim::chip
