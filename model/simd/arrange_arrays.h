// Renumbering of a schedule's arrays. Their numbers determine their order on the line of arrays.
#pragma once

#include <span>

#include "model/simd/schedule.h"

namespace nestor::simd {

/// Returns one more than the highest number of all arrays that hold inputs or are written.
std::uint32_t array_count(const Schedule& schedule, std::uint32_t home_arrays);

/// Changes the number of every array from `a` to `number[a]`.
void renumber_arrays(Schedule& schedule, std::span<const std::uint32_t> number);

/// Returns the number of arrays between source and target, summed over all copies.
std::uint64_t arrays_passed(const Schedule& schedule);

/// Orders all arrays except the `home_arrays`, whose positions the inputs fix, so that copies pass over few
/// arrays. The result is optimal for up to twelve ordered arrays. For more, it is never worse than the
/// current order.
void arrange_arrays(Schedule& schedule, std::uint32_t home_arrays);

}  // namespace nestor::simd
