// Limits of machines and loop nests: the sizes of the fixed arrays of the loop-nest modules. An embedded
// build may choose smaller limits, which reduce the solver's state and stack. Results for problems within the
// limits do not change.
#pragma once

#include <cstddef>

#ifndef NESTOR_MAX_MEMORIES
#define NESTOR_MAX_MEMORIES 16
#endif
#ifndef NESTOR_MAX_AXES
#define NESTOR_MAX_AXES 8
#endif
#ifndef NESTOR_MAX_LOOPS
#define NESTOR_MAX_LOOPS 64
#endif

namespace nestor {

inline constexpr std::size_t max_memories = NESTOR_MAX_MEMORIES;
inline constexpr std::size_t max_axes = NESTOR_MAX_AXES;
/// Bounds whose product fits 63 bits have at most 62 factors above 1.
inline constexpr std::size_t max_loops = NESTOR_MAX_LOOPS;
/// 2 * 3 * 5 * ... * 53 exceeds 2^62, so a bound has at most 15 distinct primes (8 below 2^27).
inline constexpr std::size_t max_distinct_factors = max_loops < 64 ? 8 : 16;

}  // namespace nestor
