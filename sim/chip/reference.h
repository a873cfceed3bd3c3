// Integer reference results of a network, computed directly from its operators: no crossbars, slices, copies
// or addresses (docs/models/chip-program.md, "Reference"). Program results must equal them bit for bit. The
// reference shares seeded data and tables with the simulator, but no arithmetic.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/network.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns the reason why a network cannot be computed, if any. For example, an operand is read beyond its
/// end, or sums can exceed 64 bits.
MaybeFault check_network(const nestor::chip::ChipNetwork& network);

/// Returns the result of each operator of the network before splitting, row by row and pixel by pixel.
std::variant<std::vector<std::vector<Int>>, Fault> reference_results(
    const nestor::chip::ChipNetwork& network);

}  // namespace nestor::sim::chip
