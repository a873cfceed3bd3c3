// The contract of the pim space: what a result must state about a mapping, recomputed from its JSON in exact
// integers (docs/models/pim.md). For `nestor verify`.
#pragma once

#include "check/contract.h"

namespace nestor::check::pim {

/// Returns the contract of a mapping: latency_cycles, energy_pj, edp, dataflow, evaluation, and for each port
/// the cycles in which it moves bits. `layer` is a layer record whose dimensions are those of the mapping.
/// Rows of DRAM are always counted exactly.
Contract contract_of(const Json& architecture, const Json& layer, const Json& mapping);

/// Returns the deviations of a mapping, which must break no rule, from a bypass table that is common to all
/// layers (section 7.5): operands must use the memories of the table, and no others between their home and
/// their innermost memory.
std::vector<std::string> bypass_faults(const Json& architecture, const Json& mapping, const Json& table);

}  // namespace nestor::check::pim
