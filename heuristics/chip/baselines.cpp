#include "heuristics/chip/baselines.h"

#include <algorithm>
#include <limits>

#include "model/chip/pace.h"

namespace nestor::chip {
namespace {

constexpr Int never = std::numeric_limits<Int>::max() / 4;
constexpr std::size_t most_entries = std::size_t{1} << 26;

bool is_array(const ChipProblem& problem, std::size_t i) {
  return problem.network.operators[i].kind == OperatorKind::array;
}

// Cores of a copy, a copy taking whole cores.
Int cores_of_a_copy(const ChipProblem& problem, std::size_t i) {
  const OperatorFacts& facts = problem.facts[i];
  return ceil_divide(facts.layout.crossbars(facts.layout.least_parts), facts.usable);
}

// One operator that may be copied: what a number of copies costs.
struct Candidate {
  std::size_t op;
  Int cores;                ///< of a copy
  std::vector<Int> copies;  ///< divisors of the width, ascending
  std::vector<Int> cycles;  ///< H * W * t / D
};

std::vector<Candidate> candidates_of(const ChipProblem& problem, const SegmentDecision& segment) {
  std::vector<Candidate> result;
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    const Operator& op = problem.network.operators[i];
    if (!is_array(problem, i) || op.width <= 1) continue;
    Candidate candidate{i, cores_of_a_copy(problem, i), {}, {}};
    const Int most = std::min(problem.machine.mode == Mode::CM ? op.rows : op.width,
                              problem.machine.cores.count() / candidate.cores);
    const Int mvm = pace_of(problem, i, {}, {}).mvm;
    for (Int copies = 1; copies <= std::min(most, op.width); ++copies) {
      if (op.width % copies != 0) continue;
      candidate.copies.push_back(copies);
      candidate.cycles.push_back(op.rows * (op.width / copies) * mvm);
    }
    result.push_back(std::move(candidate));
  }
  return result;
}

// best[k][b]: least cycles of the first k candidates with at most b cores; then back from the last.
bool duplicate(const ChipProblem& problem, const SegmentDecision& segment,
               std::vector<OperatorDecision>& operators, const StopSource& stop) {
  const auto candidates = candidates_of(problem, segment);
  Int budget = problem.machine.cores.count();
  Int useful = 0;
  for (std::size_t i = segment.first; i <= segment.last; ++i)
    if (is_array(problem, i) && problem.network.operators[i].width <= 1)
      budget -= cores_of_a_copy(problem, i);
  for (const auto& candidate : candidates) useful += candidate.cores * candidate.copies.back();
  const auto width = static_cast<std::size_t>(std::min(budget, useful)) + 1;
  if (width * (candidates.size() + 1) > most_entries) return false;

  std::vector<std::vector<Int>> best(candidates.size() + 1, std::vector<Int>(width, never));
  std::fill(best[0].begin(), best[0].end(), 0);
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t c = 0; c < candidates[k].copies.size(); ++c) {
      if (stop.requested()) return false;
      const auto taken = static_cast<std::size_t>(candidates[k].cores * candidates[k].copies[c]);
      for (std::size_t b = taken; b < width; ++b)
        best[k + 1][b] = std::min(best[k + 1][b], best[k][b - taken] + candidates[k].cycles[c]);
    }
  std::size_t left = width - 1;
  for (std::size_t k = candidates.size(); k-- > 0;) {
    const auto& candidate = candidates[k];
    for (std::size_t c = 0; c < candidate.copies.size(); ++c) {
      const auto taken = static_cast<std::size_t>(candidate.cores * candidate.copies[c]);
      if (taken > left || best[k][left - taken] + candidate.cycles[c] != best[k + 1][left]) continue;
      operators[candidate.op].copies = candidate.copies[c];
      left -= taken;
      break;
    }
  }
  return true;
}

// Later operators are cut to what the first and the one before them can feed.
void balance(const ChipProblem& problem, const SegmentDecision& segment,
             std::vector<OperatorDecision>& operators) {
  const auto& network = problem.network;
  std::optional<std::size_t> first;
  std::size_t before = 0;
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    const Operator& op = network.operators[i];
    if (!is_array(problem, i) || op.width <= 1) continue;
    if (!first) {
      first = before = i;
      continue;
    }
    const Operator& head = network.operators[*first];
    const Int fed =
        std::min(operators[*first].copies / std::max<Int>(1, head.rows / op.rows), operators[i].copies);
    const Int step = op.inputs.empty() ? 1 : std::max<Int>(1, op.inputs[0].need.a / op.inputs[0].need.c);
    const Int limit = operators[before].copies;
    operators[i].copies = std::max<Int>(1, fed > limit ? limit / step : fed);
    before = i;
  }
}

// The last step of `cim-mlc` (docs/models/chip.md, section 7): further copies in the spare crossbars of the
// cores taken.
void fill_cores(const ChipProblem& problem, std::vector<OperatorDecision>& operators) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (!is_array(problem, i)) continue;
    const Operator& op = problem.network.operators[i];
    const OperatorFacts& facts = problem.facts[i];
    const Int m = facts.layout.crossbars(facts.layout.least_parts);
    const Int crossbars = cores_of_a_copy(problem, i) * operators[i].copies * facts.usable;
    operators[i].copies = std::min(op.rows * op.width, std::max<Int>(1, crossbars / m));
  }
}

}  // namespace

std::vector<SegmentDecision> first_fit(const ChipProblem& problem, bool pipeline) {
  std::vector<SegmentDecision> segments;
  Int taken = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const Int cores = is_array(problem, i) ? cores_of_a_copy(problem, i) : 0;
    if (i == 0 || taken + cores > problem.machine.cores.count()) {
      segments.push_back({i, i, pipeline});
      taken = 0;
    }
    taken += cores;
    segments.back().last = i;
  }
  return segments;
}

std::optional<Decisions> run_baseline(const ChipProblem& problem, CompileMethod baseline, Levels levels,
                                      bool balanced, const StopSource& stop) {
  const bool pipeline = baseline == CompileMethod::pipeline || baseline == CompileMethod::cim_mlc;
  Decisions decisions{{}, first_fit(problem, pipeline), {}};
  decisions.operators.resize(problem.size());
  if (baseline == CompileMethod::sequential || baseline == CompileMethod::pipeline) return decisions;
  for (const auto& segment : decisions.segments)
    if (!duplicate(problem, segment, decisions.operators, stop)) return std::nullopt;
  if (baseline == CompileMethod::duplication) return decisions;
  if (balanced)
    for (const auto& segment : decisions.segments) balance(problem, segment, decisions.operators);
  decisions.levels = allowed(levels, problem.machine.mode);
  if (decisions.levels.mvm) fill_cores(problem, decisions.operators);
  return decisions;
}

}  // namespace nestor::chip
