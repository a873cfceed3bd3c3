// Peak power (docs/models/chip.md, section 6): energy of a row, power of a running row, and the highest power
// and number of active crossbars in a segment's schedule.
#pragma once

#include <span>

#include "model/chip/evaluate.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {

/// Returns the energy of one output row in pJ: buffers, digital operations and crossbars.
double row_energy(const ChipProblem& problem, std::size_t op, const OperatorTiming& pace);

/// Returns the power of a running row in pJ per cycle, or 0 if a row takes no time.
double row_power(const ChipProblem& problem, std::size_t op, const OperatorTiming& pace);

struct Peak {
  double power = 0;
  Int crossbars = 0;
};

/// Returns the peak of a segment. `paces` and `times` have one entry per operator of the network. A row that
/// ends at the start of another row does not overlap with it.
Peak peak_of(const ChipProblem& problem, const SegmentDecision& segment,
             std::span<const OperatorTiming> paces, const Timetable& times);

}  // namespace nestor::chip
