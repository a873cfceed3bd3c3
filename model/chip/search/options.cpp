#include "model/chip/search/options.h"

#include <algorithm>
#include <tuple>

#include "model/chip/peak.h"

namespace nestor::chip {
namespace {

bool beats(const LatencyOption& a, const LatencyOption& b) {
  return a.cores <= b.cores && a.row <= b.row && a.lanes >= b.lanes && a.in <= b.in && a.out <= b.out &&
         a.gate <= b.gate && a.energy <= b.energy && a.first <= b.first && a.rest <= b.rest &&
         a.last <= b.last;
}

// Returns the largest legal number of copies, of m crossbars each, that fits the chip.
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
  // With more parts, a crossbar never uses more rows, so bisection finds the next useful number.
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
  // The least number of copies for each number of windows per copy.
  for (Int copies = 1; copies <= std::min(most, op.width);) {
    result.push_back(copies);
    const Int windows = ceil_divide(op.width, copies);
    if (windows == 1) break;
    copies = ceil_divide(op.width, windows - 1);
  }
  for (Int rows = 2; rows <= op.rows && rows * op.width <= most; ++rows) result.push_back(rows * op.width);
  return result;
}

double operator_energy(const ChipProblem& problem, std::size_t i, const OperatorTiming& pace, bool several) {
  const Operator& op = problem.network.operators[i];
  double energy = static_cast<double>(op.rows) * row_energy(problem, i, pace);
  if (pace.on_array && (op.kind == OperatorKind::product || several))
    energy += static_cast<double>(pace.crossbars * problem.machine.cell.rows) * problem.machine.energy.write;
  return energy;
}

namespace {

bool is_gated(const Operator& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const OperatorInput& input) { return input.gated; });
}

}  // namespace

bool has_same_options(const Operator& a, const Operator& b) {
  const auto figures = [](const Operator& op) {
    return std::tuple(op.kind, op.rows, op.width, op.channels, op.in_channels, op.row_in, op.alu_ops,
                      op.matrix.rows, op.matrix.columns, op.matrix.groups, op.bits.I, op.bits.W, op.bits.O);
  };
  return figures(a) == figures(b) && is_gated(a) == is_gated(b);
}

namespace {

// True if matrix rows may be distributed over more parts than necessary.
bool remaps_rows(const ChipProblem& problem, Levels levels) {
  return levels.vvm && problem.machine.mode == Mode::WLM;
}

// Returns the decision with the fewest phases for which a row satisfies the power limit, or nothing if no
// number of phases does. More phases never take more power. If more parts are allowed, a slower decision with
// more parts might still satisfy the limit. It is then represented by the decision with the given parts and
// the most phases.
std::optional<OperatorDecision> within_power(const ChipProblem& problem, std::size_t i,
                                             OperatorDecision decision, Levels levels, double limit) {
  const auto keeps = [&](Int phases) {
    decision.phases = phases;
    return row_power(problem, i, timing_of(problem, i, decision, levels)) <= limit * (1 + 1e-9);
  };
  Int high = levels.mvm ? std::max<Int>(1, decision.parts) : 1;
  if (!keeps(high)) {
    if (!remaps_rows(problem, levels)) return std::nullopt;
    return decision;
  }
  Int low = 0;
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    (keeps(middle) ? high : low) = middle;
  }
  decision.phases = high;
  return decision;
}

// Returns the least cycles of a row that may satisfy the limit, over all numbers of parts with the same
// activations, if one part of each copy is active at a time. Returns nothing if the limit is too low for any
// row. Rows of more parts may also be slower without phases, since their sums take longer to add.
std::optional<Int> row_within_power(const ChipProblem& problem, std::size_t i, OperatorTiming pace,
                                    double limit) {
  constexpr Int longest = Int{1} << 61;
  if (row_power(problem, i, pace) <= limit * (1 + 1e-9)) return pace.row;
  const Int shortest = pace.row;
  pace.active = pace.sharing * problem.facts[i].layout.columns;
  const auto keeps = [&](Int row) {
    pace.row = row;
    return row_power(problem, i, pace) <= limit * (1 + 1e-9);
  };
  if (keeps(shortest)) return shortest;
  if (!keeps(longest)) return std::nullopt;
  Int low = shortest;
  Int high = longest;
  while (high - low > 1) {
    const Int middle = low + (high - low) / 2;
    (keeps(middle) ? high : low) = middle;
  }
  return high;
}

// Sets the figures of a stream. With more phases, the window arrives in more portions and a step takes no
// more cycles; all other figures are best with the fewest phases. One option therefore bounds every decision
// with these copies and with parts that have the same activations.
void add_stream_figures(const ChipProblem& problem, std::size_t i, const OperatorDecision& decision,
                        Levels levels, const OperatorTiming& pace, LatencyOption& option) {
  option.first = ceil_divide(pace.row, pace.rounds);
  option.rest = pace.row - option.first;
  option.last = ceil_divide(pace.row, pace.steps());
  if (!pace.on_array) return;
  const OperatorFacts& facts = problem.facts[i];
  const bool remaps = remaps_rows(problem, levels);
  const Int most = remaps ? facts.layout.most_parts : pace.parts;
  option.in = pace.in - facts.local_in + ceil_divide(facts.local_in, most);
  if (remaps) {
    option.last = pace.active_cycles;
  } else {
    OperatorDecision finest = decision;
    finest.phases = most;
    const OperatorTiming fine = timing_of(problem, i, finest, levels);
    option.last = ceil_divide(fine.row, fine.steps());
  }
}

}  // namespace

std::vector<LatencyOption> latency_options(const ChipProblem& problem, std::size_t i, Levels levels,
                                           const OptionFigures& figures, const StopSource* stop) {
  const Operator& op = problem.network.operators[i];
  // An operator without a gated input never waits for a factor to be written.
  const bool waits = is_gated(op);
  std::vector<LatencyOption> all;
  const auto add = [&](OperatorDecision decision, bool on_array) {
    if (figures.peak_power && on_array) {
      const auto kept = within_power(problem, i, decision, levels, *figures.peak_power);
      if (!kept) return;
      decision = *kept;
    }
    OperatorTiming pace = timing_of(problem, i, decision, levels);
    if (figures.peak_power && on_array && remaps_rows(problem, levels)) {
      auto at_once = decision;
      at_once.phases = 1;
      const auto row =
          row_within_power(problem, i, timing_of(problem, i, at_once, levels), *figures.peak_power);
      if (!row) return;
      pace.row = *row;
    }
    if (figures.peak_power && !on_array && row_power(problem, i, pace) > *figures.peak_power * (1 + 1e-9))
      return;
    const double energy = figures.energy ? operator_energy(problem, i, pace, figures.several) : 0;
    all.push_back(
        {pace.cores, pace.row, pace.lanes, pace.in, pace.out, waits ? pace.gate : 0, energy, decision});
    if (levels.stream) add_stream_figures(problem, i, decision, levels, pace, all.back());
  };
  if (problem.facts[i].may_use_alu) add({}, false);
  if (op.kind != OperatorKind::alu && problem.facts[i].may_use_array)
    for (const Int parts : useful_parts(problem, i, levels)) {
      const auto copies = useful_copies(problem, i, parts, levels);
      if (copies.empty()) break;  // more parts need even more cores
      for (const Int count : copies) add({count, parts, 1, op.kind == OperatorKind::product, {}}, true);
    }
  const auto order = [](const LatencyOption& option) {
    return std::tuple(option.cores, option.row, -option.lanes, option.in, option.out, option.gate,
                      option.energy, option.first, option.last);
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const LatencyOption& a, const LatencyOption& b) { return order(a) < order(b); });
  // Options with nearly as many cores are the most likely to dominate an option.
  return undominated(all, beats, stop);
}

OptionTable latency_options(const ChipProblem& problem, Levels levels, const OptionFigures& figures,
                            const StopSource* stop) {
  return options_of_all(problem,
                        [&](std::size_t i) { return latency_options(problem, i, levels, figures, stop); });
}

}  // namespace nestor::chip
