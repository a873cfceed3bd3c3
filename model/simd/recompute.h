// Replacement of copies by computes where this saves energy (--recompute). If a value is copied to an array
// that stores all its fanins at that time, the value is computed there again instead. Copies whose values are
// no longer read are removed. The order of all other instructions is unchanged, so the result is never worse
// if a compute costs less than a copy.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::simd {

/// Returns a schedule of `netlist` with no more copies and no more instructions than `schedule`.
Schedule recompute_instead_of_copies(const Netlist& netlist, const Schedule& schedule);

std::uint32_t copy_count(const Schedule& schedule);

}  // namespace nestor::simd
