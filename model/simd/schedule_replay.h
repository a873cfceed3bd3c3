// The two readings of a schedule behind verify_schedule.h: which node each row holds as the instructions run,
// and the instructions as a program on words of patterns.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/simd/verify_schedule.h"

namespace nestor::simd {

/// Every place a schedule touches gets a slot, so that huge rows and array numbers cost nothing.
using Slot = std::uint32_t;

struct ReplayOperand {
  Slot slot = 0;
  std::uint64_t invert = 0;  ///< all ones or zero
};

struct ReplayStep {
  InstructionKind kind = InstructionKind::copy;
  Slot to = 0;
  std::array<ReplayOperand, 3> operand;  ///< of a copy: the first
};

/// Slot 0 is constantly 0, slots 1..n are the primary inputs' own rows.
struct ReplayProgram {
  std::size_t slot_count = 0;
  std::vector<ReplayStep> steps;
  std::vector<ReplayOperand> outputs;
};

struct Replay {
  std::optional<ScheduleFault> fault;
  ScheduleFigures figures;
  ReplayProgram program;  ///< complete where there is no fault
};

/// Checks everything but the values.
Replay replay(const Netlist& netlist, const Schedule& schedule);

/// Runs program and source on the same patterns; the fault is the first output that differs.
std::optional<ScheduleFault> compare_values(const ReplayProgram& program, const Netlist& source,
                                            ScheduleFigures& figures);

}  // namespace nestor::simd
