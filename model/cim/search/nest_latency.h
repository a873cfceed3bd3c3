// The latency of a whole mapping by the recursions of the search: for the embedded profile, which looks at
// mappings one by one where its memory is too small for tables. Integers only, and little stack; what all
// figures of a mapping are is evaluate.h's to say.
#pragma once

#include <optional>

#include "model/cim/search/problem.h"

namespace nestor::cim {

/// Cycles under the model of the objective; nothing if a memory is too small for its blocks. The mapping is
/// legal in all else, and canonical.
std::optional<Int> latency_of_nest(const CimProblem& problem, const Mapping& mapping);

}  // namespace nestor::cim
