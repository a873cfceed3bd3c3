// SPDX-License-Identifier: Apache-2.0
// Cost of a complete mapping, computed by the recursions of the search without tables and with little stack.
// The C API uses this function, and so does the embedded profile, which evaluates single mappings if its
// memory is too small for tables. All other figures of a mapping are in evaluate.h.
#pragma once

#include <optional>

#include "model/cim/search/problem.h"

namespace nestor::cim {

struct NestCost {
  Int latency = 0;    ///< cycles under the latency model of the objective
  Cost additive = 0;  ///< pJ without leakage; 0 in a build for latency alone
};

/// Returns nothing if a memory is too small for its blocks. In all other respects, the mapping must be legal.
/// It must also be canonical. The additive cost of the problem must be energy.
std::optional<NestCost> cost_of_nest(const CimProblem& problem, const Mapping& mapping);

}  // namespace nestor::cim
