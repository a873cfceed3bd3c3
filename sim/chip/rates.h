// Rates of an operator, from its lines and the machine, before anything runs (private to the
// room): cycles before a row may open and until it is seen, the least length of a round, the way between
// cores.
#pragma once

#include "model/chip/machine.h"
#include "model/chip/program/program.h"

namespace nestor::sim::chip {

struct Rates {
  Int first_core = 0, last_core = -1;  ///< none on the digital unit
  Int in = 0, out = 0;                 ///< cycles before a row may open, and until it is seen
  Int stream_in = 0;                   ///< `in` of a stream: windows arrive in as many portions as phases
  Int gathered = 0;                    ///< least length of a round: inputs into L1 ...
  Int shifted = 0;                     ///< ... and shift-and-add of one window
  Int full_read = 0, group_read = 0;   ///< a crossbar, a group of rows
};

Rates rates_of(const chip_program::Program& program, const chip_program::ProgramOperator& op,
               const nestor::chip::ChipMachine& machine);

/// The dearest way from a core of one operator to a core of another, looked up pair by pair.
Int dearest_way(const nestor::chip::ChipMachine& machine, const Rates& from, const Rates& to);

/// Cycles for an amount at a rate; no rate is ideal.
inline Int cycles_for(Int amount, Int rate) { return rate <= 0 ? 0 : ceil_divide(amount, rate); }

}  // namespace nestor::sim::chip
