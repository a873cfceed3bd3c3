// What binds a mapping onto a PIM machine: for each resource how far the mapping uses it, and what the
// layer's optimum would be with twice as much of it and with as much as the layer could ever use (of an axis
// eight times). The same search finds each on the changed machine, where the mapping at hand stays legal and
// costs no more: so only what costs less is looked for.
#pragma once

#include <string_view>

#include "mapper/pim/map_layer.h"
#include "model/loopnest/space/machine_resource.h"

namespace nestor::mapper::pim {

using nestor::Binding;
using nestor::Resource;
inline constexpr std::array<std::string_view, 6> resource_words = {"compute", "bandwidth", "capacity",
                                                                   "axis",    "banks",     "activation"};

/// The layer on a machine with another amount of one resource.
struct Change {
  Int amount = 0;
  Status status = Status::optimal;
  double bound = 0;                   ///< no mapping onto the changed machine costs less
  double objective = 0;               ///< of the best mapping known there
  double gain = 0;                    ///< share of the objective at hand that is saved; from 0
  std::optional<MappedPoint> better;  ///< a mapping that costs less than the one at hand
};

struct ResourceReport {
  Resource resource;
  Int amount = 0;
  double used = 0;  ///< share of the cycles, of the bits that could move, of the capacity, of the lanes
  std::optional<Operand> busiest;  ///< of a bandwidth: whose transfers `used` counts
  std::optional<Change> step;      ///< absent where more of it changes nothing
  std::optional<Change> most;
  Binding binding = Binding::no;
};

struct Explanation {
  std::vector<ResourceReport> reports;
  bool wrong = false;  ///< the search and the evaluator disagree: an internal error
};

/// `map` is what map_layer() found with this request (no front), and has a mapping. All searches together
/// have the time limit of one layer, each has the request's work limit.
Explanation explain_layer(const LayerShape& layer, const nestor::pim::Machine& machine,
                          const Request& request, const LayerMap& map, const Resources& resources);

}  // namespace nestor::mapper::pim
