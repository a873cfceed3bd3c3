// The other cost of a proved mapping of the cim space (mapper/loopnest/tie_break.h).
#pragma once

#include "mapper/cim/layer_map.h"
#include "mapper/cim/prove.h"

namespace nestor::mapper {

/// `map` has the optimum of `problem`. A mapping of equal objective and less of the other cost takes the
/// place of the best one, and `map.ties` says how far the other cost is proved. `options` are those of a
/// search that begins now.
void break_ties(const cim::CimProblem& problem, const Limits& limits, const EngineOptions& options,
                EngineObserver* observer, CimLayerMap& map);

}  // namespace nestor::mapper
