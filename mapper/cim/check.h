// Final check of a mapping before the mapper returns it, by the code of `nestor evaluate`, which is
// independent of the search.
#pragma once

#include "mapper/cim/layer_map.h"
#include "model/cim/search/problem.h"

namespace nestor::mapper {

/// Checks legality and constraints, and evaluates the mapping. `mapped` is complete only if there is no
/// fault.
Fault check(const cim::CimProblem& problem, const Mapping& mapping, MappedCimLayer& mapped);

/// Checks a mapping that a search found, and its claimed cost.
Fault check_found(const cim::CimProblem& problem, const Mapping& mapping, Cost claimed,
                  MappedCimLayer& mapped);

}  // namespace nestor::mapper
