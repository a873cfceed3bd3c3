// Generation of a program from the decisions about a network (docs/models/chip-program.md). There is one
// thread per operator, and one iteration of its loop per output row. Copies run in a `parallel` statement. In
// a pipelined segment, a row waits for the rows of other threads that it reads. Loops keep the program small:
// its size grows with the number of operators, not with rows, windows or copies.
#pragma once

#include "model/chip/evaluate.h"
#include "model/chip/program/program.h"

namespace nestor::chip_program {

struct GenerateOptions {
  /// If true, operators of sequential segments are generated as blocks of rows or windows, together with a
  /// following relu, wherever blocks take as long as rows (ArrayCode::may_use_blocks). All other operators
  /// are generated row by row.
  bool blocks = false;
};

Program generate(const chip::ChipProblem& problem, const chip::Decisions& decisions,
                 const chip::ChipEvaluation& evaluation, const GenerateOptions& options = {});

}  // namespace nestor::chip_program
