// What binds: for each resource of a machine (the array's speed, a memory's bandwidth, a memory's capacity,
// an axis) how far the chosen mapping uses it, and what the layer's optimum would be with one more step of it
// and with as much of it as the layer could ever use (of an axis, up to eight times what there is). Each is
// found by the same search on the changed machine, seeded with the mapping at hand, which stays legal there.
// More of a resource never makes an optimum worse, so where the most gains nothing, one step need not be
// searched. Energies per access and leakage are kept: what a larger memory costs is not modelled.
#pragma once

#include <vector>

#include "mapper/cim/map_layer.h"
#include "model/loopnest/space/machine_resource.h"

namespace nestor::mapper {

using nestor::Binding;
using nestor::Resource;

/// The layer on a machine with another amount of one resource.
struct Change {
  Int amount = 0;
  Fault fault = Fault::none;
  Status status = Status::optimal;
  MappedLayer best;    ///< never worse than the mapping at hand
  double bound = 0;    ///< no mapping onto the changed machine costs less
  double gain = 0;     ///< share of the objective at hand that is saved; from 0
  bool proved = true;  ///< both optima are: the gain is exact
};

struct ResourceReport {
  Resource resource;
  Int amount = 0;
  double used = 0;  ///< share of the cycles, of the bits that could move, of the bits held, of lanes
  std::optional<Operand> busiest;  ///< of a bandwidth: whose port `used` is
  std::optional<Change> step;      ///< absent where more of it cannot change anything
  std::optional<Change> most;      ///< as much as the layer could ever use; of an axis up to eight times
  Binding binding = Binding::no;
};

/// `map` is what map_layer() found for the layer with this request (not a Pareto front), and has a mapping.
/// Every search has the request's work limit; all of them together have the time limit of one layer.
std::vector<ResourceReport> explain_layer(const LayerShape& layer, const Architecture& machine,
                                          const Request& request, const LayerMap& map,
                                          const Resources& resources);

}  // namespace nestor::mapper
