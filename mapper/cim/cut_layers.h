// Layers cut in two in one dimension where that costs less than the whole (docs/models/remainders.md): the
// least sum over all cuts of all dimensions of cut_dims, each part at its proved optimum.
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
  double whole_cost = no_cost;  ///< no_cost: the whole has no mapping
  double cost = no_cost;        ///< least sum of the two parts
};

struct CutNetwork {
  std::vector<Layer> layers = {};   ///< as before, the parts of a cut layer in place of it
  std::vector<LayerCut> cuts = {};  ///< in the order of the layers
  Status status = Status::optimal;  ///< or what ended a search before its end
  Fault fault = Fault::none;        ///< of a search of `faulty`
  std::string faulty = {};

  /// No cut that was left out costs less.
  bool proved() const { return status == Status::optimal; }
};

/// The objective of `request` adds up over layers: latency or energy. All layers passed admit(). The result
/// does not depend on the number of threads.
CutNetwork cut_layers(const std::vector<Layer>& layers, const Architecture& machine,
                      const CimRequest& request, const Resources& resources);

}  // namespace nestor::mapper
