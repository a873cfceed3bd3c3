// The contract of the chip space: what a result must state about decisions, recomputed from its JSON in exact
// integers (docs/models/chip.md). For `nestor verify`.
#pragma once

#include "check/contract.h"

namespace nestor::check::chip {

/// Returns the contract of decisions for a network after splitting: evaluation and throughput. Powers, which
/// are fractions, have the precision of long double.
Contract contract_of(const Json& architecture, const Json& network, const Json& decisions);

}  // namespace nestor::check::chip
