// A first mapping of a kernel by priorities, for the search frame of heuristics/priority: the prime factors
// of the extents go one after another to a rank, a DPU, a tasklet, the block or the steps, each to where the
// outlook is best: time, then what transfers take of it. Every order of the step loops is tried at the end.
// Improvement passes send one factor elsewhere and place those behind it anew. Proves nothing; what a mapping
// costs is the caller's to say, so it knows no estimate and no host.
#pragma once

#include <cstdint>
#include <optional>

#include "model/cnm/map_judge.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {

struct PriorityMap {
  CnmMap map;
  double cost = 0;
  std::uint64_t costed = 0;  ///< maps whose cost was asked for
};

/// Nothing if no legal map was met. The same for the same seed, unless `stop` ends it early.
std::optional<PriorityMap> priority_map(const Kernel& kernel, std::size_t levels, const MapJudge& judge,
                                        std::uint64_t seed, const StopSource& stop);

}  // namespace nestor::cnm
