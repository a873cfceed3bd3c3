// Reference results of a network, in integers and straight from its operators: no crossbars, slices, copies
// or addresses (docs/models/chip-program.md, "Reference"). Programs are compared with it bit for bit. It
// shares seeded data and tables with the simulator, but no arithmetic.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/network.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns the reason why a network cannot be computed: an operand is read beyond its end, or sums can exceed
/// 64 bits.
MaybeFault check_network(const nestor::chip::ChipNetwork& network);

/// Returns the result of each operator of the network before splitting, row by row and pixel by pixel.
std::variant<std::vector<std::vector<Int>>, Fault> reference_results(
    const nestor::chip::ChipNetwork& network);

}  // namespace nestor::sim::chip
