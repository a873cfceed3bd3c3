// Numbers of a schedule's arrays: which array lies where on the line of arrays.
#pragma once

#include <span>

#include "model/simd/schedule.h"

namespace nestor::simd {

/// One more than the greatest number of an array that holds inputs or is written to.
std::uint32_t array_count(const Schedule& schedule, std::uint32_t home_arrays);

/// Array `a` becomes array `number[a]`.
void renumber_arrays(Schedule& schedule, std::span<const std::uint32_t> number);

/// Arrays that all copies pass over between their two.
std::uint64_t arrays_passed(const Schedule& schedule);

/// Orders the arrays beyond the `home_arrays`, which inputs fix, so that copies pass over few arrays: as few
/// as any order gives for up to twelve such arrays, no more than before for others.
void arrange_arrays(Schedule& schedule, std::uint32_t home_arrays);

}  // namespace nestor::simd
