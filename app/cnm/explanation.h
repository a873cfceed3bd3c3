// What another machine would do: one resource changed at a time, the search made again.
#pragma once

#include "app/cnm/kernel_input.h"
#include "mapper/cnm/map_kernel.h"
#include "report/cnm/explanation.h"

namespace nestor::app::cnm_space {

std::vector<report::ChangedSystem> explain(const cnm::Kernel& kernel, const cnm::System& system,
                                           const cnm::MapRequest& request);

}  // namespace nestor::app::cnm_space
