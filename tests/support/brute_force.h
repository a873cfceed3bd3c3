// Every canonical mapping of a tiny case, one by one: all spatial factors, all ordered loop nests with any
// divisors, all block assignments, all double-buffer sets. Shares nothing with the search space of the
// engine; costs come from cim::evaluate, which the reference data and the second reading vouch for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/cim/evaluate.h"

namespace nestor::testing {

/// Calls visit(mapping) for each legal canonical mapping. Gives up and returns false once more than `limit`
/// mappings (legal or not) have been tried.
bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit);

/// The latency-energy front of all mappings, energy with leakage; nothing if there are too many.
std::optional<std::vector<std::pair<Int, double>>> front_of_all(const LayerShape& layer,
                                                                const Architecture& machine,
                                                                cim::LatencyModel model, std::uint64_t limit);

}  // namespace nestor::testing
