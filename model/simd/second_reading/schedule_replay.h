// The two checks of a schedule for verify_schedule.h. The first tracks the node that each row stores while
// the instructions run. The second runs the instructions as a program on words of input patterns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/simd/second_reading/verify_schedule.h"

namespace nestor::simd {

/// Number of a place that a schedule uses. Places are numbered as they first occur, so large row and array
/// numbers cost no memory.
using Slot = std::uint32_t;

/// A slot, with a flag that is set if it is read inverted. Steps are small, because a long program is read
/// from memory once for each block of patterns.
class ReplayOperand {
 public:
  ReplayOperand() = default;
  ReplayOperand(Slot slot, bool invert) : code_((slot << 1U) | static_cast<std::uint32_t>(invert)) {}
  Slot slot() const { return code_ >> 1U; }
  std::uint64_t flip() const { return (code_ & 1U) != 0 ? ~std::uint64_t{0} : 0; }

 private:
  std::uint32_t code_ = 0;
};

struct ReplayStep {
  InstructionKind kind = InstructionKind::copy;
  Slot to = 0;
  std::array<ReplayOperand, 3> operand;  ///< a copy uses only the first operand
};

/// A schedule as steps on slots. Slot 0 always holds the constant 0; slots 1..n are the rows of the primary
/// inputs.
struct ReplayProgram {
  std::size_t slot_count = 0;
  std::vector<ReplayStep> steps;
  std::vector<ReplayOperand> outputs;
};

struct Replay {
  std::optional<ScheduleFault> fault;
  ScheduleFigures figures;
  ReplayProgram program;  ///< complete if there is no fault
};

/// Checks all rules for a schedule except the values of its outputs, and converts the schedule to steps on
/// slots.
Replay replay(const Netlist& netlist, const Schedule& schedule);

/// Runs the program and the source on the same patterns; the fault is the first output that differs.
std::optional<ScheduleFault> compare_values(const ReplayProgram& program, const Netlist& source,
                                            std::uint64_t random_patterns, ScheduleFigures& figures);

}  // namespace nestor::simd
