// The kernel that computes a layer of a network. A convolution becomes a matrix product: the host forms the
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
  Int repeat = 1;     ///< runs of it that the network takes
  std::string fault;  ///< why there is none
};

/// Weights times activations: groups, outputs of a group, places (tokens, pixels, images) and what is summed
/// over. Elements have the layer's widths, or all of them `type`.
LayerKernel kernel_of_layer(const Layer& layer, const System& system, std::optional<Type> type);

/// Multiplications of a layer, all repeats counted; nothing if too many to count.
std::optional<Int> products_of_layer(const Layer& layer);

}  // namespace nestor::cnm
