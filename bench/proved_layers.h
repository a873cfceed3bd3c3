// Search for the optima of the unique layers of a network, with one thread. Benchmarks of bounds start from
// these optima.
#pragma once

#include <string>

#include "inputs.h"
#include "io/cim/architecture_file.h"
#include "io/layer_file.h"
#include "mapper/cim/map_layer.h"
#include "model/workload/unique_shapes.h"
#include "proofs.h"

namespace nestor::bench {

struct ProvedLayer {
  const Layer& layer;
  const Architecture& machine;
  const mapper::CimLayerMap& map;
  double seconds;  ///< processor time of the search
};

/// Calls visit(proved) for every layer that has a mapping. `proved.map.status` indicates whether the mapping
/// is proved optimal.
template <typename Visit>
void for_each_proved_layer(const std::string& network_name, const std::string& machine_name,
                           const mapper::CimRequest& request, Visit visit) {
  const auto network = or_exit(io::read_layers(network_name));
  const auto architecture = or_exit(io::read_architecture(machine_name));
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{4} << 30U);
  const auto shapes = unique_shapes(network.layers);
  if (!shapes) return;
  for (const auto& shape : shapes->shapes) {
    const Layer& layer = network.layers[shape.first];
    const Stopwatch watch;
    const auto map = mapper::map_layer(layer.shape, architecture.machine, request, {*executor, memory});
    if (!map.best.empty()) visit(ProvedLayer{layer, architecture.machine, map, watch.cpu()});
  }
}

}  // namespace nestor::bench
