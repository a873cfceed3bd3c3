// The same netlist with its gates in another order: for tests and benchmarks that a result must not depend on
// the order of a file (issue bar "file order must not matter").
#pragma once

#include <cstdint>

#include "model/simd/netlist.h"

namespace nestor::simd {

/// Gates in a random topological order; with `rename`, gates are named afresh after that order. Inputs and
/// outputs keep their names and places.
Netlist shuffled(const Netlist& netlist, std::uint64_t seed, bool rename);

}  // namespace nestor::simd
