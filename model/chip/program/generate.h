// Generation of a program from the decisions about a network (docs/models/chip-program.md). There is one
// thread per operator, and one iteration of its loop per output row. Copies run in a `parallel` statement. A
// row waits if it reads rows of another thread of a pipelined segment. Loops keep the program small: its size
// grows with the number of operators, not with rows, windows or copies.
#pragma once

#include "model/chip/evaluate.h"
#include "model/chip/program/program.h"

namespace nestor::chip_program {

struct GenerateOptions {
  /// If true, generates whole blocks of rows or windows in sequential segments, with a following unary
  /// function in the same loop. This applies only if no buffer or digital unit limits the rate; otherwise,
  /// row code is generated.
  bool blocks = false;
};

Program generate(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                 const chip::ChipEvaluation& evaluation, const GenerateOptions& options = {});

}  // namespace nestor::chip_program
