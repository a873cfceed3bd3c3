// The contract of the cim space: what a result must state about a mapping, recomputed from its JSON in exact
// integers (docs/models/cim.md). For `nestor verify`.
#pragma once

#include <set>

#include "check/contract.h"

namespace nestor::check::cim {

/// Returns the contract of a mapping, whose figures are the `evaluation` of a result. `layer` is a layer
/// record whose dimensions are those of the mapping.
Contract contract_of(const Json& architecture, const Json& layer, const Json& mapping);

/// Returns the latency that a mapping, which must break no rule, would have if only the transfers through
/// some ports took time. A port, such as "buffer/W", connects a memory with the next memory inward that the
/// operand uses.
Int cycles_through(const std::set<std::string>& ports, bool stall, const Json& architecture,
                   const Json& layer, const Json& mapping);

}  // namespace nestor::check::cim
