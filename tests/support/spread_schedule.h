// A schedule that is legal and nothing more: every value has a row of its own for good, fanins are copied
// into three rows kept for them. Used to test verify.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::test {

/// `rows` must be at least 4.
simd::Schedule spread_schedule(const simd::Netlist& netlist, std::uint32_t rows);

}  // namespace nestor::test
