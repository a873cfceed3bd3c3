// Initial mapping of a kernel by priorities, built with the search framework of heuristics/priority. The
// prime factors of the extents are assigned one after another to a level (such as ranks, DPUs or tasklets),
// the block or the steps. Each factor is assigned where the estimated total cost is least; the cost of
// transfers breaks ties. For every complete map, up to 24 orders of the step loops are tried. Improvement
// passes move one factor and place the later factors again. The result has no proof. The caller supplies the
// costs, so this module depends neither on the estimate nor on the host.
#pragma once

#include <cstdint>
#include <optional>

#include "model/cnm/map_judge.h"
#include "solver/engine/stop_source.h"

namespace nestor::cnm {

struct PriorityMap {
  CnmMap map;
  double cost = 0;
  std::uint64_t costed = 0;  ///< number of maps evaluated
};

/// Returns the best map found, or nothing if no legal map was found. The result depends only on the seed,
/// unless `stop` ends the search early.
std::optional<PriorityMap> priority_map(const Kernel& kernel, std::size_t levels, const MapJudge& judge,
                                        std::uint64_t seed, const StopSource& stop);

}  // namespace nestor::cnm
