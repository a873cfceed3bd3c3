// A schedule that is legal but not optimised: every value keeps a row to itself, and fanins are copied into
// three rows reserved for them. Used to test verify.
#pragma once

#include "model/simd/schedule.h"

namespace nestor::test {

/// `rows` must be at least 4.
simd::Schedule spread_schedule(const simd::Netlist& netlist, std::uint32_t rows);

}  // namespace nestor::test
