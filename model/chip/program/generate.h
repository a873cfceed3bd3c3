// From what was decided about a network to the program that runs it (docs/models/chip-program.md): one thread
// per operator, one row of its loop per output row, copies side by side in `parallel`, waits where another
// thread of a pipelined segment makes what a row reads. Loops keep it small: its size grows with the number
// of operators, not with rows, windows or copies.
#pragma once

#include "model/chip/evaluate.h"
#include "model/chip/program/program.h"

namespace nestor::chip_program {

struct GenerateOptions {
  /// Sequential segments without rows: whole blocks of rows or windows, and a unary function behind an
  /// operator in the same loop. Only where no buffer or digital unit limits the rate; else rows are kept.
  bool blocks = false;
};

Program generate(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                 const chip::ChipEvaluation& evaluation, const GenerateOptions& options = {});

}  // namespace nestor::chip_program
