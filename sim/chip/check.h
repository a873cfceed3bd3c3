// Check of a program on a machine before execution: sizes fit, the crossbars of operators are inside the
// chip, and operations refer to existing objects (docs/models/chip-program.md). After this check, the
// simulators need no further checks of these properties.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine);

/// Checks that the arguments of an operation are in range: crossbars of the chip, rows of a crossbar, pixels
/// of a tensor.
MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine, const Op& op);

/// Checks that the program can be executed with the integers of its quantised model, if it has one.
MaybeFault check_numbers(const Program& program);

}  // namespace nestor::sim::chip
