// Functional execution of a meta-operator program (docs/models/chip-program.md, "Arithmetic"): crossbars with
// cells, input slices and converters that clip, tensors as bytes of L0, and digital operations on integers.
// With ideal converters, the result equals that of the integer reference (reference.h) bit for bit.
#pragma once

#include <functional>
#include <variant>
#include <vector>

#include "model/chip/machine.h"
#include "sim/chip/walk.h"

namespace nestor::sim::chip {

/// Input elements, which are seeded by default, and a callback for progress.
struct ExecutionInput {
  const std::vector<Int>* elements = nullptr;                      ///< elements of the first input tensor
  std::function<void(std::size_t done, std::size_t of)> progress;  ///< counts completed operators
};

struct Execution {
  /// The result of each operator of the program, row by row. Empty if no operation of the program produced
  /// it.
  std::vector<std::vector<Int>> results;
};

std::variant<Execution, Fault> execute(const Program& program, const nestor::chip::ChipMachine& machine,
                                       const WalkLimits& limits = {}, const ExecutionInput& input = {});

}  // namespace nestor::sim::chip
