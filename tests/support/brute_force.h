// Enumeration of every canonical mapping of a tiny case: all spatial factors, all ordered loop nests with any
// divisors, all block assignments, all double-buffer sets. Shares no code with the engine's search space.
// Costs come from cim::evaluate, which is tested against the reference data and the independent checker.
// Capacities are checked here by summing over operands; one mapping in 64 is also checked with
// find_violation().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "model/cim/evaluate.h"

namespace nestor::tests {

/// True if there are at most `limit` mappings to try, including illegal ones. A set of blocks that exceeds a
/// capacity even without double buffering counts as one mapping.
bool has_at_most(std::uint64_t limit, const LayerShape& layer, const Architecture& machine);

/// Calls visit(mapping) for each legal canonical mapping. Returns false without a call if has_at_most() is
/// false.
bool for_each_mapping(const LayerShape& layer, const Architecture& machine, std::uint64_t limit,
                      const std::function<void(const Mapping&)>& visit);

/// Returns the latency-energy front of all mappings, with leakage in the energy; nullopt if there are too
/// many.
std::optional<std::vector<std::pair<Int, double>>> front_of_all(const LayerShape& layer,
                                                                const Architecture& machine,
                                                                cim::LatencyModel model, std::uint64_t limit);

}  // namespace nestor::tests
