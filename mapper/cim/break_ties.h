// Search for the least other cost of a proved mapping of the cim space (mapper/loopnest/tie_break.h).
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/prove.h"

namespace nestor::mapper {

/// Minimises the other cost among mappings with the objective of `map`, which must have the optimum of
/// `problem`. A mapping that lowers it replaces the best one, and `map.ties` states what is proved about the
/// other cost. `options` are those of a search that begins now.
void break_ties(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                EngineObserver* observer, CimLayerMap& map);

}  // namespace nestor::mapper
