// The float graph of a model, run in double precision on one image (docs/models/chip.md, "Weights"): where
// the scales of a float model come from, and what the integers of a program are compared with.
#pragma once

#include <variant>
#include <vector>

#include "base/stop_signal.h"
#include "model/chip/network.h"
#include "model/chip/real_model.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// All tensors of the network, inputs first, as they lie on the chip; a fault if `stop` ends it. Its
/// function kinds must be known (reference.h, check_network).
std::variant<std::vector<std::vector<double>>, Fault> run_reals(const nestor::chip::ChipNetwork& network,
                                                                const nestor::chip::RealModel& model,
                                                                std::vector<double> image,
                                                                const StopSignal* stop = nullptr);

/// A function of one element.
double unary(const std::string& function, const std::vector<double>& parameters, double x);

}  // namespace nestor::sim::chip
