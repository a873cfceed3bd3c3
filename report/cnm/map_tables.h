// What `nestor map` prints of kernels.
#pragma once

#include <string>
#include <vector>

#include "mapper/cnm/map_kernel.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// How far one kernel's search came.
std::string search_text(const cnm::MapResult& result);

/// A network's layers with totals; `twins`: for each layer the first one like it.
std::string network_text(const KernelWork& work, const std::vector<cnm::MapResult>& results,
                         const std::vector<std::size_t>& twins);

}  // namespace nestor::report
