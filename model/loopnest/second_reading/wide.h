// 128-bit integers of the independent checkers. They do not overflow where the 64-bit integers of the checked
// code might.
#pragma once

namespace nestor::verify {

__extension__ using Wide = __int128;

constexpr Wide round_up_division(Wide a, Wide b) { return (a + b - 1) / b; }
constexpr Wide larger(Wide a, Wide b) { return a < b ? b : a; }

}  // namespace nestor::verify
