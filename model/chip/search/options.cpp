#include "model/chip/search/options.h"

#include <algorithm>
#include <tuple>

namespace nestor::chip {
namespace {

bool beats(const LatencyOption& a, const LatencyOption& b) {
  return a.cores <= b.cores && a.row <= b.row && a.lanes >= b.lanes && a.in <= b.in && a.out <= b.out &&
         a.gate <= b.gate;
}

// Copies of m crossbars that the chip can hold.
Int most_copies(const ChipProblem& problem, std::size_t i, Int parts, Levels levels) {
  const OperatorFacts& facts = problem.facts[i];
  const Int m = facts.layout.crossbars(parts);
  const Int cores = problem.machine.cores.count();
  const Operator& op = problem.network.operators[i];
  const Int held = levels.mvm ? cores * facts.usable / m : cores / ceil_divide(m, facts.usable);
  return std::min(held, problem.machine.mode == Mode::CM ? op.rows : op.rows * op.width);
}

}  // namespace

std::vector<Int> useful_parts(const ChipProblem& problem, std::size_t i, Levels levels) {
  const CrossbarLayout& layout = problem.facts[i].layout;
  std::vector<Int> result = {layout.least_parts};
  if (!levels.vvm || problem.machine.mode != Mode::WLM) return result;
  const auto activations = [&](Int parts) {
    return ceil_divide(layout.rows_used(parts), problem.machine.cell.parallel_rows);
  };
  // More parts never use more rows, so the next useful number is found by bisection.
  for (Int parts = layout.least_parts; activations(parts) > 1;) {
    Int low = parts;
    Int high = layout.most_parts;
    if (activations(high) == activations(parts)) break;
    while (high - low > 1) {
      const Int middle = low + (high - low) / 2;
      (activations(middle) < activations(parts) ? high : low) = middle;
    }
    parts = high;
    result.push_back(parts);
  }
  return result;
}

std::vector<Int> useful_copies(const ChipProblem& problem, std::size_t i, Int parts, Levels levels) {
  const Operator& op = problem.network.operators[i];
  const Int most = most_copies(problem, i, parts, levels);
  std::vector<Int> result;
  if (problem.machine.mode == Mode::CM) {
    for (Int copies = 1; copies <= most; ++copies) result.push_back(copies);
    return result;
  }
  // The fewest copies for each number of windows a copy takes.
  for (Int copies = 1; copies <= std::min(most, op.width);) {
    result.push_back(copies);
    const Int windows = ceil_divide(op.width, copies);
    if (windows == 1) break;
    copies = ceil_divide(op.width, windows - 1);
  }
  for (Int rows = 2; rows <= op.rows && rows * op.width <= most; ++rows) result.push_back(rows * op.width);
  return result;
}

std::vector<LatencyOption> latency_options(const ChipProblem& problem, std::size_t i, Levels levels) {
  const Operator& op = problem.network.operators[i];
  // Who waits for no second factor never waits for it to be written.
  const bool is_gated =
      std::any_of(op.inputs.begin(), op.inputs.end(), [](const OperatorInput& input) { return input.gated; });
  std::vector<LatencyOption> all;
  const auto add = [&](const OperatorDecision& decision) {
    const Pace pace = pace_of(problem, i, decision, levels);
    all.push_back({pace.cores, pace.row, pace.lanes, pace.in, pace.out, is_gated ? pace.gate : 0, decision});
  };
  if (op.kind != OperatorKind::array) add({});
  if (op.kind != OperatorKind::alu && problem.facts[i].may_use_array)
    for (const Int parts : useful_parts(problem, i, levels)) {
      const auto copies = useful_copies(problem, i, parts, levels);
      if (copies.empty()) break;  // more parts fit even less
      for (const Int count : copies) add({count, parts, 1, op.kind == OperatorKind::product, {}});
    }
  std::stable_sort(all.begin(), all.end(), [](const LatencyOption& a, const LatencyOption& b) {
    return std::tuple(a.cores, a.row, -a.lanes, a.in, a.out, a.gate) <
           std::tuple(b.cores, b.row, -b.lanes, b.in, b.out, b.gate);
  });
  std::vector<LatencyOption> kept;
  for (const LatencyOption& option : all)
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const LatencyOption& other) { return beats(other, option); }))
      kept.push_back(option);
  return kept;
}

OptionTable latency_options(const ChipProblem& problem, Levels levels) {
  OptionTable table;
  for (std::size_t i = 0; i < problem.size(); ++i) table.push_back(latency_options(problem, i, levels));
  return table;
}

}  // namespace nestor::chip
