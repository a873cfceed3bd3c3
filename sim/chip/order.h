// Proof, from addresses, that a program's result is the same for every order that the program allows
// (docs/models/chip-program.md, "Order"). Simultaneous operations of `parallel` use different bytes and
// crossbars, and so do rows that are open together. A row that reads data of another thread in a pipelined
// segment waits for the row that writes it.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns the first pair of accesses without an order, as a sentence, or nothing.
MaybeFault prove_order(const Program& program, const nestor::chip::ChipMachine& machine,
                       const WalkLimits& limits = {});

}  // namespace nestor::sim::chip
