// Kernel that computes a layer of a network. A convolution becomes a matrix product: the host forms the
// matrix of its windows (im2col).
#pragma once

#include <optional>
#include <string>

#include "model/cnm/kernel.h"
#include "model/cnm/system.h"
#include "model/workload/network.h"

namespace nestor::cnm {

struct LayerKernel {
  Kernel kernel;
  Int repeat = 1;     ///< number of times that the network runs the kernel
  std::string fault;  ///< reason why there is no kernel, or empty
};

/// Returns the product of weights and activations. Its dims are groups (if there are several), outputs of a
/// group, positions (tokens, pixels, images; if there are several) and the summed dim. Elements have the
/// layer's widths, or `type` if set.
LayerKernel kernel_of_layer(const Layer& layer, const System& system, std::optional<Type> type);

/// Returns the number of multiplications of a layer including repeats, or nothing if it overflows.
std::optional<Int> products_of_layer(const Layer& layer);

/// Returns a name that MLIR accepts for the kernel of a layer or operation.
std::string kernel_name(const std::string& label);

}  // namespace nestor::cnm
