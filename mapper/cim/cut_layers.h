// Division of layers into two parts along one dimension, if the parts cost less than the whole
// (docs/models/remainders.md). Over all cuts of a layer in all dimensions of cut_dims, the sum of the optima
// of the two parts is minimised.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "mapper/cim/request.h"
#include "mapper/loopnest/fault.h"
#include "model/workload/layer_parts.h"

namespace nestor::mapper {

struct LayerCut {
  Layer whole;
  Layer first;
  Layer second;
  Dim dim = Dim::N;
  double whole_cost = no_cost;  ///< no_cost if the whole has no mapping
  double cost = no_cost;        ///< least sum of the costs of two parts
};

struct CutNetwork {
  std::vector<Layer> layers = {};   ///< all layers; the two parts replace a layer that is cut
  std::vector<LayerCut> cuts = {};  ///< in the order of the layers
  Status status = Status::optimal;  ///< optimal, or the reason why a search ended early
  Fault fault = Fault::none;        ///< fault in the search of the layer `faulty`
  std::string faulty = {};

  /// True if it is proved that no other cuts cost less.
  bool proved() const { return status == Status::optimal; }
};

/// Returns the layers with the best cuts applied. The objective must add up over layers (latency or energy),
/// and all layers must have passed admit(). The result does not depend on the number of threads.
CutNetwork cut_layers(const std::vector<Layer>& layers, const Architecture& machine,
                      const CimRequest& request, const Resources& resources);

}  // namespace nestor::mapper
