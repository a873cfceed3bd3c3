// Tie-breaking of a proved mapping of the cim space: by energy if the objective is latency, and by latency if
// it is energy (mapper/loopnest/tie_break.h).
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/prove.h"

namespace nestor::mapper {

/// Minimises the other cost (energy or latency) among mappings that have the same objective as `map`, which
/// must be the optimum of `problem`. A mapping with a lower other cost replaces the best one, and `map.ties`
/// states what is proved about this cost. `options` contains the limits that remain after the search of
/// `problem`.
void break_ties(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                EngineObserver* observer, CimLayerMap& map);

}  // namespace nestor::mapper
