// Rankings of a kernel's mappings: of the best mappings only, or of all mappings.
#pragma once

#include <optional>
#include <vector>

#include "mapper/cnm/map_kernel.h"
#include "model/cnm/search/ranking.h"

namespace nestor::cnm {

/// Returns the `count` best maps with their times. Extents may be padded as requested. Returns nothing if a
/// limit or an interruption ends the search first. Without padding, `proof` receives the forms that had to be
/// estimated.
std::optional<std::vector<RankedMap>> rank_best(const Kernel& kernel, const System& system,
                                                const Library& library, std::size_t count,
                                                const MapRequest& request,
                                                std::vector<FormCycles>* proof = nullptr);

struct WholeRanking {
  Ranking ranking;
  /// True if time ran out or the run was interrupted; otherwise, an incomplete ranking is due to memory.
  bool stopped = false;
};
WholeRanking rank_all(const Kernel& kernel, const System& system, const Library& library,
                      const MapRequest& request);

}  // namespace nestor::cnm
