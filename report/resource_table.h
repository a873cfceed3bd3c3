// The table of --explain: what a layer's resources are used for, and what more of each would gain.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "model/loopnest/space/machine_resource.h"

namespace nestor::report {

struct ResourceRow {
  struct Change {
    Int amount = 0;
    double gain = 0;
    Status status = Status::optimal;
  };
  Resource::Kind resource = Resource::Kind::compute;
  std::string name;  ///< of the memory or axis; empty for compute
  Int amount = 0;
  double used = 0;
  std::optional<Operand> operand;
  Binding binds = Binding::no;
  std::optional<Change> step;
  std::optional<Change> most;
};

/// The name of the memory or axis that a resource is of; none for compute.
std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes);

/// The rows of a layer below what they say; `step` heads the column of the smaller change.
std::string resources_text(const std::string& layer, const std::string& objective,
                           const std::vector<ResourceRow>& rows, const char* step);

}  // namespace nestor::report
