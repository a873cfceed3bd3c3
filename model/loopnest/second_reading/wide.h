// The integers of the second readings: 128 bits, so that no rounding or wrap-around is shared with what they
// check.
#pragma once

namespace nestor::verify {

__extension__ using Wide = __int128;

constexpr Wide round_up_division(Wide a, Wide b) { return (a + b - 1) / b; }
constexpr Wide larger(Wide a, Wide b) { return a < b ? b : a; }

}  // namespace nestor::verify
