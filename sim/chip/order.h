// Proof, from addresses, that a program's result is the same for every order that the program allows
// (docs/models/chip-program.md, "Order"). Two accesses conflict if they use the same byte or crossbar and one
// of them writes it. The proof shows that neither simultaneous operations of `parallel` nor rows open at the
// same time conflict. It also shows that, in a pipelined segment, a row that reads data of another thread
// waits for the row that writes it.
#pragma once

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Returns a fault that describes the first pair of unordered conflicting accesses, or nothing.
MaybeFault prove_order(const Program& program, const nestor::chip::ChipMachine& machine,
                       const WalkLimits& limits = {});

}  // namespace nestor::sim::chip
