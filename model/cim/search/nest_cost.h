// SPDX-License-Identifier: Apache-2.0
// The cost of a whole mapping by the recursions of the search, without tables and with little stack: for the
// embedded profile, which looks at mappings one by one where its memory is too small for tables, and for the
// C API. All other figures of a mapping are in evaluate.h.
#pragma once

#include <optional>

#include "model/cim/search/problem.h"

namespace nestor::cim {

struct NestCost {
  Int latency = 0;    ///< cycles under the model of the objective
  Cost additive = 0;  ///< pJ without leakage; 0 in a build for latency alone
};

/// Nothing if a memory is too small for its blocks. The mapping is legal in all else, and canonical. The
/// additive cost of the problem is energy.
std::optional<NestCost> cost_of_nest(const CimProblem& problem, const Mapping& mapping);

}  // namespace nestor::cim
