// Trades copies for computes where that saves energy (--recompute): a value that is copied to an array that
// holds all its fanins just then is computed there again instead, and copies that nothing reads any more
// disappear. The order of everything else stays, so the result is never worse.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::simd {

/// A schedule of `netlist` that costs at most as much.
Schedule recompute_instead_of_copies(const Netlist& netlist, const Schedule& schedule);

std::uint32_t copy_count(const Schedule& schedule);

}  // namespace nestor::simd
