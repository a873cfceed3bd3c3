// Trades copies for computes where that saves energy (--recompute): a value that is copied to an array that
// holds all its fanins just then is computed there again instead, and copies that nothing reads any more
// disappear. The order of everything else stays, so the result is never worse where a compute takes
// less than a copy.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::simd {

/// A schedule of `netlist` with at most as many copies, and no more instructions.
Schedule recompute_instead_of_copies(const Netlist& netlist, const Schedule& schedule);

std::uint32_t copy_count(const Schedule& schedule);

}  // namespace nestor::simd
