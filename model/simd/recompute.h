// Replacement of copies by computes if that saves energy (--recompute). A value that is copied to an array
// that holds all its fanins at that time is computed there again instead. Copies that are no longer read are
// removed. The order of everything else is unchanged, so the result is never worse if a compute costs less
// than a copy.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::simd {

/// Returns a schedule of `netlist` with at most as many copies and no more instructions.
Schedule recompute_instead_of_copies(const Netlist& netlist, const Schedule& schedule);

std::uint32_t copy_count(const Schedule& schedule);

}  // namespace nestor::simd
