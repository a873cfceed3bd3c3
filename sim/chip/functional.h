// Functional execution of a meta-operator program (docs/models/chip-program.md, "Arithmetic"). It models
// crossbars with cells, input slices and clipping converters; tensors as bytes of L0; and digital operations
// on integers. With ideal converters, the results equal those of the integer reference (reference.h) bit for
// bit.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Input elements (by default from a seed), and a progress callback.
struct ExecutionInput {
  const std::vector<Int>* elements = nullptr;  ///< elements of the first input tensor
  /// Called after each thread, with the number of completed threads and the number of operators.
  std::function<void(std::size_t done, std::size_t of)> progress;
};

struct Execution {
  /// Result of each operator of the program, row by row; empty if no operation produced it.
  std::vector<std::vector<Int>> results;
};

std::variant<Execution, Fault> execute(const Program& program, const nestor::chip::ChipMachine& machine,
                                       const WalkLimits& limits = {}, const ExecutionInput& input = {});

}  // namespace nestor::sim::chip
