// Type of the costs that searches minimise. Costs are doubles because energies are. A latency-only build
// (NESTOR_LATENCY_ONLY) counts whole cycles in integers, for devices that emulate doubles in software. Both
// types have the same size, so both builds find the same mappings in a given amount of memory.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace nestor {

#if defined(NESTOR_LATENCY_ONLY)
using Cost = std::int64_t;
/// Cost of a problem without a solution, and an upper bound that excludes nothing.
inline constexpr Cost no_cost = std::numeric_limits<Cost>::max();
/// A lower bound that excludes nothing.
inline constexpr Cost no_bound = std::numeric_limits<Cost>::min();
#else
using Cost = double;
inline constexpr Cost no_cost = std::numeric_limits<Cost>::infinity();
inline constexpr Cost no_bound = -no_cost;
#endif

static_assert(sizeof(Cost) == 8);
/// True if latency is the only supported objective.
inline constexpr bool latency_only = std::is_integral_v<Cost>;

}  // namespace nestor
