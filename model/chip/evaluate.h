// The cost of a compiled network (docs/models/chip.md, sections 5 and 6). `find_violation` names the first
// rule of section 4 that decisions break; `evaluate` expects legal ones.
#pragma once

#include <optional>
#include <string>

#include "model/chip/evaluation.h"
#include "model/chip/problem.h"

namespace nestor::chip {

struct ChipViolation {
  std::string message;
};

std::optional<ChipViolation> find_violation(const ChipProblem& problem, const Decisions& decisions);

ChipEvaluation evaluate(const ChipProblem& problem, const Decisions& decisions);

/// One segment by itself, without leakage.
struct SegmentCost {
  Int latency = 0;
  double energy = 0;
  double peak = 0;
};

/// When every row of every operator starts and ends, relative to the schedule of its segment. In a stream the
/// first step of a row may start before the run of the others.
struct RowTimes {
  Int start;
  Int run;
  Int end;
};
using Timetable = std::vector<std::vector<RowTimes>>;

/// Of segment `s`, its tensors up to byte `l0_bytes` (addresses.h). `times` is kept by callers so that passes
/// do not allocate.
SegmentCost cost_of_segment(const ChipProblem& problem, const Decisions& decisions, std::size_t s,
                            Int l0_bytes, Timetable& times);

/// `evaluate` and the times behind it.
ChipEvaluation evaluate(const ChipProblem& problem, const Decisions& decisions, Timetable& times);

}  // namespace nestor::chip
