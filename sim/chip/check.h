// Check of a program on a machine before any of it is executed: sizes fit, operators are inside the chip, and
// operations name existing objects (docs/models/chip-program.md). After this check, the simulators need no
// others.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine);

/// Checks the values of an operation: crossbars of the chip, rows of a crossbar, pixels of a tensor.
MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine, const Op& op);

/// Checks that the program can be executed with the numbers of its model.
MaybeFault check_numbers(const Program& program);

}  // namespace nestor::sim::chip
