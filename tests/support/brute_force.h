// Every canonical mapping of a tiny case, one by one: all spatial factors, all ordered loop nests with any
// divisors, all block assignments, all double-buffer sets. Shares nothing with the search space of the
// engine; costs come from cim::evaluate, which the reference data and the second reading vouch for. What fits
// is summed over operands here, and one mapping in 64 is held against find_violation().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/cim/evaluate.h"

namespace nestor::testing {

/// Whether there are no more mappings than that to try: legal ones and, where capacities do not suffice, one
/// for all double-buffer sets.
bool has_at_most(std::uint64_t limit, const LayerShape& layer, const Architecture& machine);

/// Calls visit(mapping) for each legal canonical mapping. Returns false without a call if has_at_most()
/// denies.
bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit);

/// The latency-energy front of all mappings, energy with leakage; nothing if there are too many.
std::optional<std::vector<std::pair<Int, double>>> front_of_all(const LayerShape& layer,
                                                                const Architecture& machine,
                                                                cim::LatencyModel model, std::uint64_t limit);

}  // namespace nestor::testing
