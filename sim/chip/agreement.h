// Comparison of a program's tensors with the integer reference of the whole network (reference.h). The
// results of the pieces of a split operator are compared with their channels of the whole operator.
#pragma once

#include <variant>

#include "model/chip/network.h"
#include "sim/chip/functional.h"

namespace nestor::sim::chip {

/// Returns the number of compared elements, or the first difference. `whole` is the network before splitting.
std::variant<Int, Fault> compare_with_reference(const nestor::chip::ChipNetwork& whole,
                                                const Program& program, const Execution& execution);

/// Compares the program's tensors with the given results of the network's operators.
std::variant<Int, Fault> compare_with_results(const nestor::chip::ChipNetwork& whole, const Program& program,
                                              const Execution& execution,
                                              const std::vector<std::vector<Int>>& expected);

}  // namespace nestor::sim::chip
