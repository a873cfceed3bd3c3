// What `nestor map` prints of kernels.
#pragma once

#include <string>
#include <vector>

#include "io/files.h"
#include "mapper/cnm/map_kernel.h"
#include "mapper/cnm/ranking.h"
#include "report/cnm/kernel_work.h"

namespace nestor::report {

/// How far one kernel's search came.
std::string search_text(const cnm::MapResult& result);

/// A network's layers with totals; `twins`: for each layer the first one like it.
std::string network_text(const KernelWork& work, const std::vector<cnm::MapResult>& results,
                         const std::vector<std::size_t>& twins);

/// The ranked space: a line a member, best first.
std::string ranked_csv(const cnm::Ranking& ranking, const cnm::System& system);

/// The best of it.
io::Json ranked_json(const std::vector<cnm::RankedMap>& best);
std::string ranked_text(const std::vector<cnm::RankedMap>& best);

}  // namespace nestor::report
