// Evaluation of a compiled network (docs/models/chip.md, sections 5 and 6). `find_violation` returns a
// message about the first violated rule of section 4, or nothing if the decisions are legal. `evaluate`
// requires legal decisions.
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

/// Cost of one segment alone, without leakage.
struct SegmentCost {
  Int latency = 0;
  double energy = 0;
  double peak = 0;
};

/// Times of a row of an operator, in cycles after the start of its segment's schedule. In a stream, the first
/// step of a row may start (`start`) before the run of its other steps (`run`). Otherwise, both times are
/// equal.
struct RowTimes {
  Int start;
  Int run;
  Int end;
};
using Timetable = std::vector<std::vector<RowTimes>>;

/// Returns the cost of segment `s`, whose live tensors end at byte `l0_bytes` of L0 (addresses.h). Callers
/// reuse `times` so that later calls do not allocate.
SegmentCost cost_of_segment(const ChipProblem& problem, const Decisions& decisions, std::size_t s,
                            Int l0_bytes, Timetable& times);

/// Returns the evaluation, and writes the row times to `times`.
ChipEvaluation evaluate(const ChipProblem& problem, const Decisions& decisions, Timetable& times);

}  // namespace nestor::chip
