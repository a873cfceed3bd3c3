// Check of a program on a machine before anything of it is executed: sizes that fit, operators
// that lie inside the chip, operations that name what exists (docs/models/chip-program.md). Behind this door
// the simulators compute plainly.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine);

/// What an operation's values may be: crossbars of the chip, rows of a crossbar, pixels of a tensor.
MaybeFault check(const Program& program, const nestor::chip::ChipMachine& machine, const Op& op);

/// Numbers of a model that it may be executed with.
MaybeFault check_numbers(const Program& program);

}  // namespace nestor::sim::chip
