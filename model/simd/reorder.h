// The same netlist with its gates in another order, for tests and benchmarks that check that a result does
// not depend on the order of a file.
#pragma once

#include <cstdint>

#include "model/simd/netlist.h"

namespace nestor::simd {

/// Returns the gates in a random topological order; with `rename`, gates are renamed in that order. Inputs
/// and outputs keep their names and places.
Netlist shuffled(const Netlist& netlist, std::uint64_t seed, bool rename);

}  // namespace nestor::simd
