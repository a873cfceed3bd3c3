// Integers of the independent checkers. They have 128 bits, so that they share no overflow with the code that
// they check.
#pragma once

namespace nestor::verify {

__extension__ using Wide = __int128;

constexpr Wide round_up_division(Wide a, Wide b) { return (a + b - 1) / b; }
constexpr Wide larger(Wide a, Wide b) { return a < b ? b : a; }

}  // namespace nestor::verify
