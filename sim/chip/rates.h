// Rates of an operator, computed from the program and the machine before anything runs (internal to
// sim/chip). They are the cycles before a row can open, the cycles until its result is visible, the minimum
// length of a round, and the cost of transfers between cores.
#pragma once

#include "model/chip/machine.h"
#include "model/chip/program/program.h"

namespace nestor::sim::chip {

struct Rates {
  Int first_core = 0, last_core = -1;  ///< range of cores; empty for the digital unit
  /// Cycles before a row can open, and cycles until its result is visible.
  Int in = 0, out = 0;
  /// The value of `in` for a stream, whose windows arrive in one portion per phase.
  Int stream_in = 0;
  Int gathered = 0;                   ///< minimum length of a round due to loading inputs into L1
  Int shifted = 0;                    ///< minimum length of a round due to shift-and-add of one window
  Int full_read = 0, group_read = 0;  ///< cycles to read a whole crossbar, and a group of rows
};

Rates rates_of(const chip_program::Program& program, const chip_program::ProgramOperator& op,
               const nestor::chip::ChipMachine& machine);

/// Returns the highest transfer cost from any core of one operator to any core of another.
Int highest_transfer_cost(const nestor::chip::ChipMachine& machine, const Rates& from, const Rates& to);

/// Returns the cycles for an amount at a rate. A rate of 0 means ideal: no cycles.
inline Int cycles_for(Int amount, Int rate) { return rate <= 0 ? 0 : ceil_divide(amount, rate); }

}  // namespace nestor::sim::chip
