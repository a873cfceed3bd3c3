// The number that a search minimises. Costs are doubles, since energies are. A build for latency alone
// (NESTOR_LATENCY_ONLY) counts whole cycles and computes with integers only: for devices whose doubles are
// software. Both are of one size, so that both find the same mappings in the same memory.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace nestor {

#if defined(NESTOR_LATENCY_ONLY)
using Cost = std::int64_t;
/// The cost of what has no solution, and of what is not bounded from above.
inline constexpr Cost no_cost = std::numeric_limits<Cost>::max();
/// A lower bound that says nothing.
inline constexpr Cost no_bound = std::numeric_limits<Cost>::min();
#else
using Cost = double;
inline constexpr Cost no_cost = std::numeric_limits<Cost>::infinity();
inline constexpr Cost no_bound = -no_cost;
#endif

static_assert(sizeof(Cost) == 8);
/// Whether no objective but latency is known.
inline constexpr bool latency_only = std::is_integral_v<Cost>;

}  // namespace nestor
