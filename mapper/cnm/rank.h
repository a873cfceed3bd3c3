// The best mappings of a kernel in order, or all of them.
#pragma once

#include <optional>
#include <vector>

#include "mapper/cnm/map_kernel.h"
#include "model/cnm/search/ranking.h"

namespace nestor::cnm {

/// The `count` best members, each with its time, extents padded as the request says; nothing if its time
/// ends before they are known. `proof` gets what had to be estimated of a space without padding.
std::optional<std::vector<RankedMap>> rank_best(const Kernel& kernel, const System& system,
                                                const Library& library, std::size_t count,
                                                const MapRequest& request,
                                                std::vector<FormCycles>* proof = nullptr);

struct WholeRanking {
  Ranking ranking;
  bool stopped = false;  ///< by the request's time; else incomplete if its memory does not hold all
};
WholeRanking rank_all(const Kernel& kernel, const System& system, const Library& library,
                      const MapRequest& request);

}  // namespace nestor::cnm
