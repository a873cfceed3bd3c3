// Every canonical mapping of a tiny case, one by one: all spatial factors, all ordered loop nests with any
// divisors, all block assignments, all double-buffer sets. Shares nothing with the search space of the
// engine; costs come from cim::evaluate, which the reference data and the second reading vouch for.
#pragma once

#include <cstdint>
#include <functional>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor::testing {

/// Calls visit(mapping) for each legal canonical mapping. Gives up and returns false once more than `limit`
/// mappings (legal or not) have been tried.
bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit);

}  // namespace nestor::testing
