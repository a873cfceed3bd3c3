// The last word on a mapping before it leaves the mapper, by the code that `evaluate` uses, which knows
// nothing of the search.
#pragma once

#include "mapper/cim/layer_map.h"
#include "model/cim/search/problem.h"

namespace nestor::mapper {

/// Legality, constraints and cost; fills in `mapped` as far as it is legal.
Fault check(const cim::CimProblem& problem, const Mapping& mapping, MappedCimLayer& mapped);

/// The same of a mapping that a search found at the cost `claimed`.
Fault check_found(const cim::CimProblem& problem, const Mapping& mapping, Cost claimed,
                  MappedCimLayer& mapped);

}  // namespace nestor::mapper
