// The kernel that computes a layer of a network: of layers, those that are matrix products are mapped.
#pragma once

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

/// Weights times activations: M outputs, N places (tokens, pixels, images), K summed over.
LayerKernel kernel_of_layer(const Layer& layer, const System& system, Type type);

}  // namespace nestor::cnm
