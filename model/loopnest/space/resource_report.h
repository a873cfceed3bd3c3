// Bottlenecks of a mapping of a loop-nest space, as the mapper finds and a result states them: how far it
// uses each resource of the machine, and what the layer's optimum would be with more of it.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/space/machine_resource.h"

namespace nestor {

/// A resource by its name, where Resource has its place in the machine.
struct NamedResource {
  Resource::Kind kind = Resource::Kind::compute;
  std::string name;  ///< of the memory or axis; empty for compute
};

/// How far a mapping uses a resource: the share of the cycles, of the bits that could move, of the bits held,
/// of the lanes.
struct ResourceUse {
  double share = 0;
  std::optional<Operand> busiest = std::nullopt;  ///< of a bandwidth: whose port it is
};

/// The layer on a machine with another amount of one resource.
template <typename Point>
struct ResourceChange {
  Int amount = 0;
  Status status = Status::optimal;    ///< of what is claimed there
  Point best;                         ///< never worse than the mapping at hand
  std::optional<double> lower_bound;  ///< no mapping onto the changed machine costs less
  double gain = 0;                    ///< share of the objective at hand that is saved; from 0
};

/// `Part` is a Resource or a NamedResource, `Change` a ResourceChange.
template <typename Part, typename Change>
struct ResourceReport {
  Part resource;
  Int amount = 0;
  ResourceUse used;
  std::optional<Change> step;  ///< absent where more of it cannot change anything
  std::optional<Change> most;  ///< as much as the layer could ever use, or axes as is searched
  Binding binding = Binding::no;
};

/// As results have it.
template <typename Point>
using NamedReport = ResourceReport<NamedResource, ResourceChange<Point>>;

}  // namespace nestor
