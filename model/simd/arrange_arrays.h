// Numbering of a schedule's arrays, which is their order on the line of arrays.
#pragma once

#include <span>

#include "model/simd/schedule.h"

namespace nestor::simd {

/// Returns one more than the highest number of an array that holds inputs or is written.
std::uint32_t array_count(const Schedule& schedule, std::uint32_t home_arrays);

/// Renumbers array `a` to `number[a]`.
void renumber_arrays(Schedule& schedule, std::span<const std::uint32_t> number);

/// Returns the number of arrays that all copies pass over.
std::uint64_t arrays_passed(const Schedule& schedule);

/// Orders the arrays after the `home_arrays`, which inputs fix, so that copies pass over few arrays. The
/// result is optimal for up to twelve such arrays, and never worse than before for more.
void arrange_arrays(Schedule& schedule, std::uint32_t home_arrays);

}  // namespace nestor::simd
