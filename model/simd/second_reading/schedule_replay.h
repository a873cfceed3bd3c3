// The two checks of a schedule behind verify_schedule.h: the node that each row holds as the instructions
// run, and the instructions as a program on words of patterns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/simd/second_reading/verify_schedule.h"

namespace nestor::simd {

/// Every place that a schedule uses gets a slot, so that large row and array numbers cost nothing.
using Slot = std::uint32_t;

/// Slot and whether it is read inverted. Steps are small, because a long program is read from memory once for
/// each block of patterns.
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
  std::array<ReplayOperand, 3> operand;  ///< a copy uses the first
};

/// Slot 0 is always 0; slots 1..n are the rows of the primary inputs.
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

/// Checks everything except the values.
Replay replay(const Netlist& netlist, const Schedule& schedule);

/// Runs the program and the source on the same patterns; the fault is the first output that differs.
std::optional<ScheduleFault> compare_values(const ReplayProgram& program, const Netlist& source,
                                            std::uint64_t random_patterns, ScheduleFigures& figures);

}  // namespace nestor::simd
