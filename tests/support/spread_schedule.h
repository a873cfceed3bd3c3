// A legal schedule that is not optimised: every value has its own row, and fanins are copied into three
// reserved rows. Used to test verify.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::tests {

/// Returns such a schedule for arrays of `rows` rows, which must be at least 4.
simd::Schedule spread_schedule(const simd::Netlist& netlist, std::uint32_t rows);

}  // namespace nestor::tests
