#include "heuristics/chip/cim_mlc_steps.h"

#include <algorithm>
#include <utility>

#include "model/chip/addresses.h"
#include "model/chip/evaluate.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {
namespace {

// Returns the cycles of all rows of an operator if each lane runs its rows one after another.
Int cycles_of_rows(const ChipProblem& problem, std::size_t i, const OperatorTiming& pace) {
  return ceil_divide(problem.network.operators[i].rows, pace.lanes) * pace.row;
}

}  // namespace

void limit_copies(const ChipProblem& problem, const SegmentDecision& segment,
                  std::vector<OperatorDecision>& operators) {
  const auto& network = problem.network;
  const auto cycles = [&](std::size_t i, Int copies) {
    OperatorDecision decision;
    decision.copies = copies;
    return cycles_of_rows(problem, i, timing_of(problem, i, decision, {}));
  };
  // For each operator, the cycles of the slowest digital operator that reads its result.
  std::vector<Int> most(problem.size(), 0);
  for (std::size_t j = segment.first; j <= segment.last; ++j) {
    if (is_array(problem, j)) continue;
    for (const auto& input : network.operators[j].inputs) {
      if (network.is_input(input.tensor)) continue;
      Int& slowest = most[network.producer(input.tensor)];
      slowest = std::max(slowest, cycles(j, 1));
    }
  }
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    if (!is_array(problem, i)) continue;
    const Int enough = std::max(most[i], cycles(i, operators[i].copies));
    // Cycles never increase with the number of copies.
    Int low = 0;
    Int high = operators[i].copies;
    while (high - low > 1) {
      const Int middle = low + (high - low) / 2;
      (cycles(i, middle) <= enough ? high : low) = middle;
    }
    operators[i].copies = high;
  }
}

void remap_rows(const ChipProblem& problem, Levels levels, std::vector<OperatorDecision>& operators) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (!is_array(problem, i)) continue;
    const auto& layout = problem.facts[i].layout;
    const OperatorTiming now = timing_of(problem, i, operators[i], levels);
    const Int rounds = ceil_divide(layout.rows_used(layout.least_parts), problem.machine.cell.parallel_rows);
    for (Int f = std::min(operators[i].copies, rounds); f >= 2; --f) {
      if (f > layout.most_parts / layout.least_parts) continue;
      OperatorDecision spread = operators[i];
      spread.copies = operators[i].copies / f;
      spread.parts = f * layout.least_parts;
      const OperatorTiming pace = timing_of(problem, i, spread, levels);
      if (pace.cores > now.cores || cycles_of_rows(problem, i, pace) > cycles_of_rows(problem, i, now))
        continue;
      operators[i] = spread;
      break;
    }
  }
}

namespace {

// Staggers one segment, whose tensors end at byte `bytes` of L0. Returns false if stopped.
bool stagger(const ChipProblem& problem, std::size_t s, Int bytes, Decisions& decisions, Timetable& times,
             const StopSource& stop) {
  const auto latency = [&] { return cost_of_segment(problem, decisions, s, bytes, times).latency; };
  SegmentDecision& segment = decisions.segments[s];
  segment.stream = segment.pipeline;
  const Int enough = latency();
  std::vector<std::pair<Int, std::size_t>> order;  // by active crossbars, most first
  for (std::size_t i = segment.first; i <= segment.last; ++i)
    if (is_array(problem, i))
      order.emplace_back(-timing_of(problem, i, decisions.operators[i], decisions.levels).active, i);
  std::sort(order.begin(), order.end());
  for (const auto& [active, i] : order) {
    OperatorDecision& decision = decisions.operators[i];
    const Int parts = timing_of(problem, i, decision, decisions.levels).parts;
    while (decision.phases < parts) {
      if (stop.requested()) return false;
      decision.phases += 1;
      if (latency() <= enough) continue;
      decision.phases -= 1;
      break;
    }
  }
  return true;
}

}  // namespace

bool stagger(const ChipProblem& problem, Decisions& decisions, const StopSource& stop) {
  const auto bytes = assign_addresses(problem, decisions.segments).segment_bytes;
  Timetable times;
  for (std::size_t s = 0; s < decisions.segments.size(); ++s)
    if (!stagger(problem, s, bytes[s], decisions, times, stop)) return false;
  return true;
}

}  // namespace nestor::chip
