// The float graph of a model, executed in double precision on one image (docs/models/chip.md, "Weights"). The
// run provides the scales of a float model, and reference results for the integers of a program.
#pragma once

#include <variant>
#include <vector>

#include "base/stop_signal.h"
#include "model/chip/network.h"
#include "model/chip/real_model.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns all tensors of the network, inputs first, in the layout of the chip, or a fault if `stop` ends the
/// run. The kinds of all functions must be known (reference.h, check_network).
std::variant<std::vector<std::vector<double>>, Fault> run_reals(const nestor::chip::ChipNetwork& network,
                                                                const nestor::chip::RealModel& model,
                                                                std::vector<double> image,
                                                                const StopSignal* stop = nullptr);

/// Evaluates a unary function on one element. Returns `x` if the function is unknown.
double unary(const std::string& function, const std::vector<double>& parameters, double x);

}  // namespace nestor::sim::chip
