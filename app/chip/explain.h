// What binds a compiled network: the search again on machines with one step more of each resource.
#pragma once

#include <string>
#include <vector>

#include "app/chip/search.h"

namespace nestor::app::chip_space {

using report::ResourceGain;

/// `proved`: whether `objective` is. Each machine is searched under the run's own limits.
io::Result<std::vector<ResourceGain>> explain(const io::RunOptions& options, const CompiledNetwork& compiled,
                                              double objective, bool proved);

}  // namespace nestor::app::chip_space
