// Integer results of a quantised model, computed by plain loops over its operators before splitting: no
// crossbars, program, copies or addresses (docs/models/chip-program.md, "Reference"). The loops use the same
// integers as the simulator but share no arithmetic with it.
#pragma once

#include <variant>
#include <vector>

#include "model/chip/network.h"
#include "model/chip/program/numbers.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns the result of each operator, row by row, from the quantised elements of the first input.
std::variant<std::vector<std::vector<Int>>, Fault> model_results(const nestor::chip::ChipNetwork& network,
                                                                 const chip_program::ProgramNumbers& numbers,
                                                                 const std::vector<Int>& input);

}  // namespace nestor::sim::chip
