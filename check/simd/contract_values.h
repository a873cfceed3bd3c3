// Comparison of a schedule's outputs with those of its source netlist, on many patterns of the inputs.
#pragma once

#include <optional>

#include "check/simd/contract.h"

namespace nestor::check::simd {

/// A place that a schedule uses. Places are numbered as they first occur, so large numbers of arrays and rows
/// cost no memory. Slot 0 stores the constant 0, and slots 1..n the inputs.
using Slot = std::uint32_t;
/// Twice a slot, plus 1 if it is read negated.
using SlotSignal = std::uint32_t;

/// A schedule as steps on slots.
struct SlotProgram {
  struct Step {
    Schedule::Kind kind = Schedule::Kind::copy;
    Slot to = 0;
    std::array<SlotSignal, 3> operands{};  ///< a copy has only the first
  };
  std::size_t slot_count = 1;
  std::vector<Step> steps;
  std::vector<SlotSignal> outputs;
};

struct Patterns {
  std::uint64_t count = 0;
  bool is_exhaustive = false;  ///< true if these are all patterns
};

/// Returns the patterns on which a schedule and its source are compared.
Patterns patterns_for(const Netlist& source, std::uint64_t random_patterns);

/// Runs both on these patterns. Returns the first output that differs, or nothing.
std::optional<std::size_t> differing_output(const SlotProgram& program, const Netlist& source,
                                            const Patterns& patterns);

}  // namespace nestor::check::simd
