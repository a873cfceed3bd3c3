// What another machine would do: one resource changed at a time, the search made again.
#pragma once

#include "app/cnm/kernel_input.h"
#include "mapper/cnm/map_kernel.h"

namespace nestor::app::cnm_space {

io::Json explain(const cnm::Kernel& kernel, const cnm::System& system, const cnm::MapRequest& request,
                 double time_ms, bool prints);

}  // namespace nestor::app::cnm_space
