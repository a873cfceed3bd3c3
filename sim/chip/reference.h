// Reference results of a network, in integers and straight from its operators: no crossbars, slices, copies
// or addresses (docs/models/chip-program.md, "Reference"). Programs are held against it to the last bit. It
// shares seeded data and tables with the simulator, and no arithmetic.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/network.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// What keeps a network from being computed: an operand read beyond its end, sums that may leave 64 bits.
MaybeFault check_network(const nestor::chip::ChipNetwork& network);

/// Per operator of the network (before splitting), what it makes, row by row, pixel by pixel.
std::variant<std::vector<std::vector<Int>>, Fault> reference_results(
    const nestor::chip::ChipNetwork& network);

}  // namespace nestor::sim::chip
