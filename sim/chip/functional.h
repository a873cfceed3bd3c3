// Executes a meta-operator program on numbers (docs/models/chip-program.md, "Arithmetic"): crossbars with
// cells, input slices and converters that clip, tensors as bytes of L0, digital operations on integers. With
// ideal converters the result is that of the integer reference (reference.h) to the last bit.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// What a program runs on, where it is not seeded elements, and who is told how far it has come.
struct ExecutionInput {
  const std::vector<Int>* elements = nullptr;                      ///< of the first tensor that nothing makes
  std::function<void(std::size_t done, std::size_t of)> progress;  ///< operators
};

struct Execution {
  /// Per operator of the program what it made, row by row; empty if nothing of the program made it.
  std::vector<std::vector<Int>> results;
};

std::variant<Execution, Fault> execute(const Program& program, const nestor::chip::ChipMachine& machine,
                                       const WalkLimits& limits = {}, const ExecutionInput& input = {});

}  // namespace nestor::sim::chip
