// Netlist with its gates in another order. Tests and benchmarks use it to check that results do not depend on
// the order of a file.
#pragma once

#include <cstdint>

#include "model/simd/netlist.h"

namespace nestor::simd {

/// Returns the netlist with its gates in a random topological order. If `rename`, gates are also renamed in
/// this order. Inputs and outputs keep their names and positions.
Netlist shuffled(const Netlist& netlist, std::uint64_t seed, bool rename);

}  // namespace nestor::simd
