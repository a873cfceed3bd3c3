// Speed of one operator under a decision, independent of other operators (docs/models/chip.md, section 5):
// the cycles of an MVM and of a row, the number of rows at once, the cycles before the first row and after
// each row, and the cores and crossbars used.
#pragma once

#include "model/chip/problem.h"

namespace nestor::chip {

struct OperatorTiming {
  bool on_array = false;
  Int cores = 0;
  Int crossbars_of_a_copy = 0;  ///< m
  Int crossbars = 0;            ///< D * m
  Int active_cycles = 0;        ///< a: cycles per MVM in which a crossbar is active
  Int mvm = 0;                  ///< t = a * g
  Int row = 0;
  Int lanes = 1;  ///< q: number of rows at once
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  Int active = 0;  ///< number of crossbars that are active while a row runs
  // Used by streams.
  Int sharing = 1;    ///< d: number of copies that share the windows of a row
  Int rounds = 1;     ///< n: number of rounds of windows in a row
  Int phases = 1;     ///< g
  Int parts = 1;      ///< v
  Int stream_in = 0;  ///< `in` if the window arrives in g portions

  constexpr Int steps() const { return rounds * phases; }  ///< N
};

/// Returns the cycles of all rows of an operator that never waits for other operators.
inline Int cycles_alone(const Operator& op, const OperatorTiming& pace) {
  return pace.in + ceil_divide(op.rows, pace.lanes) * pace.row + pace.out;
}

OperatorTiming timing_of(const ChipProblem& problem, std::size_t op, const OperatorDecision& decision,
                         Levels levels);

}  // namespace nestor::chip
