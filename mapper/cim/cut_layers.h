// Division of layers into two parts along one dimension, if the parts cost less than the whole
// (docs/models/remainders.md). The result has the least sum of the two parts' proved optima, over all cuts in
// all dimensions of cut_dims.
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
  Fault fault = Fault::none;        ///< fault of a search of the layer `faulty`
  std::string faulty = {};

  /// True if no other cut costs less.
  bool proved() const { return status == Status::optimal; }
};

/// Returns the layers with the best cuts applied. The objective must add up over layers (latency or energy),
/// and all layers must have passed admit(). The result does not depend on the number of threads.
CutNetwork cut_layers(const std::vector<Layer>& layers, const Architecture& machine,
                      const CimRequest& request, const Resources& resources);

}  // namespace nestor::mapper
