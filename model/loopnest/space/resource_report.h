// Bottlenecks of a mapping of a loop-nest space, as reported by the mapper and in results: the share of each
// resource that the mapping uses, and the optimum of the layer with more of this resource.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "model/loopnest/layer.h"
#include "model/loopnest/space/machine_resource.h"

namespace nestor {

/// A resource identified by name; Resource identifies it by its index in the machine.
struct NamedResource {
  Resource::Kind kind = Resource::Kind::compute;
  std::string name;  ///< name of the memory or axis; empty for compute
};

/// Use of a resource by a mapping: the used share of the cycles, of the bits that a memory could move, of its
/// capacity, or of the lanes of an axis.
struct ResourceUse {
  double share = 0;
  std::optional<Operand> busiest = std::nullopt;  ///< for a bandwidth, the operand with the busiest port
};

/// Result for the layer on a machine with another amount of one resource.
template <typename Point>
struct ResourceChange {
  Int amount = 0;
  Status status = Status::optimal;    ///< status of this result
  Point best;                         ///< never worse than the explained mapping
  std::optional<double> lower_bound;  ///< lower bound for the changed machine
  double gain = 0;                    ///< saved share of the mapping's objective, at least 0
};

/// `Part` is a Resource or a NamedResource, `Change` a ResourceChange.
template <typename Part, typename Change>
struct ResourceReport {
  Part resource;
  Int amount = 0;
  ResourceUse used;
  std::optional<Change> step;  ///< result with the next larger amount; absent if more of the resource cannot
                               ///< change the optimum
  std::optional<Change> most;  ///< result with the largest amount that the layer could use; for an axis, at
                               ///< most a fixed multiple of its size
  Binding binding = Binding::no;
};

/// A report with named resources, as in results.
template <typename Point>
using NamedReport = ResourceReport<NamedResource, ResourceChange<Point>>;

}  // namespace nestor
