// The table of --explain: what a layer's resources are used for, and what more of each would gain.
#pragma once

#include <span>
#include <string>

#include "model/loopnest/space/machine_resource.h"

namespace nestor::report {

/// The name of the memory or axis that a resource is of; none for compute.
std::string part_name(const Resource& resource, std::span<const std::string> memories,
                      std::span<const std::string> axes);

/// Every explained layer of a run (io::RunResult, io::pim::RunRecord): its resources, how far they are used,
/// what more of each would gain. `step` heads the column of the smaller change.
template <typename Run>
std::string explanation_text(const Run& run, const char* step);

}  // namespace nestor::report
