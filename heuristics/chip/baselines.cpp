#include "heuristics/chip/baselines.h"

#include <algorithm>
#include <limits>
#include <queue>

#include "heuristics/chip/cim_mlc_steps.h"
#include "model/chip/operator_timing.h"

namespace nestor::chip {
namespace {

constexpr Int never = std::numeric_limits<Int>::max() / 4;
__extension__ using WideInt = __int128;
constexpr std::size_t most_entries = std::size_t{1} << 26;

// Returns the number of whole cores that one copy of an operator occupies.
Int cores_of_a_copy(const ChipProblem& problem, std::size_t i) {
  const OperatorFacts& facts = problem.facts[i];
  return ceil_divide(facts.layout.crossbars(facts.layout.least_parts), facts.usable);
}

// True for a product that the digital unit of the chip cannot compute.
bool is_forced(const ChipProblem& problem, std::size_t i) {
  return problem.network.operators[i].kind == OperatorKind::product && !problem.facts[i].may_use_alu;
}

// Returns the least number of cores of an operator, 0 if it can run on the digital unit.
Int least_cores(const ChipProblem& problem, std::size_t i) {
  return is_array(problem, i) || is_forced(problem, i) ? cores_of_a_copy(problem, i) : 0;
}

// An operator that may be copied, with the cycles for each number of copies.
struct Candidate {
  std::size_t op;
  Int cores;                ///< cores of one copy
  std::vector<Int> copies;  ///< possible numbers of copies (divisors of the width), ascending
  std::vector<Int> cycles;  ///< rows * (width / copies) * cycles of one MVM
};

std::vector<Candidate> candidates_of(const ChipProblem& problem, const SegmentDecision& segment) {
  std::vector<Candidate> result;
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    const Operator& op = problem.network.operators[i];
    if (!is_array(problem, i) || op.width <= 1) continue;
    Candidate candidate{i, cores_of_a_copy(problem, i), {}, {}};
    const Int most = std::min(problem.machine.mode == Mode::CM ? op.rows : op.width,
                              problem.machine.cores.count() / candidate.cores);
    const Int mvm = timing_of(problem, i, {}, {}).mvm;
    for (Int copies = 1; copies <= std::min(most, op.width); ++copies) {
      if (op.width % copies != 0) continue;
      candidate.copies.push_back(copies);
      candidate.cycles.push_back(op.rows * (op.width / copies) * mvm);
    }
    result.push_back(std::move(candidate));
  }
  return result;
}

Int cores_left_for_copies(const ChipProblem& problem, const SegmentDecision& segment) {
  Int budget = problem.machine.cores.count();
  for (std::size_t i = segment.first; i <= segment.last; ++i)
    if (problem.network.operators[i].width <= 1 || is_forced(problem, i)) budget -= least_cores(problem, i);
  return budget;
}

// Returns a table: best[k][b] is the least total number of cycles of the first k candidates on at most b
// cores. The table is empty if it would be too large or if the run was stopped.
std::vector<std::vector<Int>> least_cycles(const ChipProblem& problem, const SegmentDecision& segment,
                                           const std::vector<Candidate>& candidates, const StopSource& stop) {
  Int useful = 0;
  for (const auto& candidate : candidates) useful += candidate.cores * candidate.copies.back();
  const auto width = static_cast<std::size_t>(std::min(cores_left_for_copies(problem, segment), useful)) + 1;
  if (width * (candidates.size() + 1) > most_entries) return {};
  std::vector<std::vector<Int>> best(candidates.size() + 1, std::vector<Int>(width, never));
  std::fill(best[0].begin(), best[0].end(), 0);
  for (std::size_t k = 0; k < candidates.size(); ++k)
    for (std::size_t c = 0; c < candidates[k].copies.size(); ++c) {
      if (stop.requested()) return {};
      const auto taken = static_cast<std::size_t>(candidates[k].cores * candidates[k].copies[c]);
      for (std::size_t b = taken; b < width; ++b)
        best[k + 1][b] = std::min(best[k + 1][b], best[k][b - taken] + candidates[k].cycles[c]);
    }
  return best;
}

// Chooses the number of copies of each candidate, from the last to the first: the fewest copies that reach
// the least total number of cycles. Returns false if least_cycles() returns no table.
bool duplicate(const ChipProblem& problem, const SegmentDecision& segment,
               std::vector<OperatorDecision>& operators, const StopSource& stop) {
  const auto candidates = candidates_of(problem, segment);
  const auto best = least_cycles(problem, segment, candidates, stop);
  if (best.empty()) return false;
  std::size_t left = best[0].size() - 1;
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

// Limits the copies of each array operator after the first to the number that the first and the previous
// array operator can feed.
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

// First equation of CIM-MLC, at level mvm (docs/models/chip.md, section 7): adds copies in the unused
// crossbars of the occupied cores.
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

// Returns the last operator of the longest segment that begins with `first` and fits on the chip with one
// copy of each operator. Operator `first` is always included.
std::size_t last_that_fits(const ChipProblem& problem, std::size_t first) {
  Int taken = 0;
  for (std::size_t i = first; i < problem.size(); ++i) {
    taken += least_cores(problem, i);
    if (i > first && taken > problem.machine.cores.count()) return i - 1;
  }
  return problem.size() - 1;
}

// Segment popping of `cim-mlc`: while the estimated cycles of the network decrease, a segment passes its last
// array operator, and all operators after it, to the next segment.
class Popping {
 public:
  Popping(const ChipProblem& problem, const StopSource& stop)
      : problem_(problem), stop_(stop), behind_(problem.size() + 1) {}

  // Returns the segments, or nothing if an estimate needs too large a table or the run is stopped.
  std::optional<std::vector<SegmentDecision>> run() {
    std::vector<SegmentDecision> segments;
    Estimate before;
    for (std::size_t first = 0; first < problem_.size();) {
      std::size_t last = last_that_fits(problem_, first);
      auto best = total(before, {first, last, true});
      while (best) {
        const auto cut = last_of_two_arrays(first, last);
        if (!cut) break;
        const auto popped = total(before, {first, *cut - 1, true});
        if (!popped) return std::nullopt;
        if (popped->cycles() >= best->cycles()) break;
        best = popped;
        last = *cut - 1;
      }
      if (!best) return std::nullopt;
      const auto own = estimate({first, last, true});
      if (!own) return std::nullopt;
      before = before + *own;
      segments.push_back({first, last, true});
      first = last + 1;
    }
    return segments;
  }

 private:
  struct Estimate {
    Int schedules = 0;
    Int rewriting = 0;  ///< added only if there are several segments
    std::size_t segments = 0;
    Int cycles() const { return schedules + (segments > 1 ? rewriting : 0); }
    Estimate operator+(const Estimate& other) const {
      return {schedules + other.schedules, rewriting + other.rewriting, segments + other.segments};
    }
  };

  std::optional<std::size_t> last_of_two_arrays(std::size_t first, std::size_t last) const {
    std::optional<std::size_t> found;
    for (std::size_t i = last + 1; i-- > first;) {
      if (!is_array(problem_, i)) continue;
      if (found) return found;
      found = i;
    }
    return std::nullopt;
  }

  std::optional<Estimate> estimate(const SegmentDecision& segment) const {
    const auto best = least_cycles(problem_, segment, candidates_of(problem_, segment), stop_);
    if (best.empty()) return std::nullopt;
    const ChipMachine& machine = problem_.machine;
    Estimate estimate{best.back().back(), 0, 1};
    Int weights = 0;
    bool written = false;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      if (!is_array(problem_, i)) continue;
      const Operator& op = problem_.network.operators[i];
      if (op.width <= 1) estimate.schedules += op.rows * op.width * timing_of(problem_, i, {}, {}).mvm;
      weights += op.matrix.rows * op.matrix.columns * op.matrix.groups * op.bits.W;
      written = true;
    }
    if (written)
      estimate.rewriting = std::max(machine.cell.rows * machine.cell.write_cycles,
                                    cycles_for(weights, machine.off_chip_bandwidth));
    return estimate;
  }

  // Returns the estimate of the whole network: of the segments already decided (`before`), of `segment`, and
  // of first-fit segments after it.
  std::optional<Estimate> total(const Estimate& before, const SegmentDecision& segment) {
    const auto own = estimate(segment);
    if (!own) return std::nullopt;
    // The first-fit segments from each starting operator are estimated only once.
    std::vector<SegmentDecision> chain;
    std::size_t next = segment.last + 1;
    for (; next < problem_.size() && !behind_[next]; next = chain.back().last + 1)
      chain.push_back({next, last_that_fits(problem_, next), true});
    Estimate rest = next < problem_.size() ? *behind_[next] : Estimate{};
    for (std::size_t c = chain.size(); c-- > 0;) {
      const auto each = estimate(chain[c]);
      if (!each) return std::nullopt;
      rest = rest + *each;
      behind_[chain[c].first] = rest;
    }
    return before + *own + rest;
  }

  const ChipProblem& problem_;
  const StopSource& stop_;
  /// Estimate of the first-fit segments from each operator to the last.
  std::vector<std::optional<Estimate>> behind_;
};

// `poly-schedule`: adds one copy at a time to the slowest operator that can have another copy. Returns false
// if stopped.
bool add_copies(const ChipProblem& problem, const SegmentDecision& segment,
                std::vector<OperatorDecision>& operators, const StopSource& stop) {
  Int left = problem.machine.cores.count();
  std::vector<Int> cycles(problem.size(), 0);  // cycles with one copy
  const auto is_faster = [&](std::size_t a, std::size_t b) {
    const WideInt of_a = WideInt{cycles[a]} * operators[b].copies;
    const WideInt of_b = WideInt{cycles[b]} * operators[a].copies;
    return of_a != of_b ? of_a < of_b : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_faster)> slowest(is_faster);
  for (std::size_t i = segment.first; i <= segment.last; ++i) {
    left -= least_cores(problem, i);
    if (!is_array(problem, i)) continue;
    const Operator& op = problem.network.operators[i];
    if (op.width <= 1) continue;
    cycles[i] = op.rows * op.width * timing_of(problem, i, {}, {}).mvm;
    slowest.push(i);
  }
  while (!slowest.empty()) {
    if (stop.requested()) return false;
    const std::size_t i = slowest.top();
    slowest.pop();
    const Operator& op = problem.network.operators[i];
    const Int most = problem.machine.mode == Mode::CM ? op.rows : op.width;
    if (operators[i].copies >= most || cores_of_a_copy(problem, i) > left) continue;
    left -= cores_of_a_copy(problem, i);
    operators[i].copies += 1;
    slowest.push(i);
  }
  return true;
}

}  // namespace

std::vector<SegmentDecision> first_fit(const ChipProblem& problem, bool pipeline) {
  std::vector<SegmentDecision> segments;
  for (std::size_t first = 0; first < problem.size(); first = segments.back().last + 1)
    segments.push_back({first, last_that_fits(problem, first), pipeline});
  return segments;
}

std::vector<OperatorDecision> one_copy_each(const ChipProblem& problem) {
  std::vector<OperatorDecision> operators(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) operators[i].on_array = is_forced(problem, i);
  return operators;
}

std::optional<Decisions> run_baseline(const ChipProblem& problem, CompileMethod baseline, Levels levels,
                                      bool balanced, const StopSource& stop) {
  const bool is_text = baseline == CompileMethod::cim_mlc;
  const bool is_cim_mlc = is_text || baseline == CompileMethod::cim_mlc_code;
  Decisions decisions{{}, first_fit(problem, is_cim_mlc || baseline == CompileMethod::pipeline), {}};
  decisions.operators = one_copy_each(problem);
  if (baseline == CompileMethod::sequential || baseline == CompileMethod::pipeline) return decisions;
  if (is_text) {
    auto popped = Popping(problem, stop).run();
    if (!popped) return std::nullopt;
    decisions.segments = std::move(*popped);
  }
  for (const auto& segment : decisions.segments) {
    const bool done = baseline == CompileMethod::poly_schedule
                          ? add_copies(problem, segment, decisions.operators, stop)
                          : duplicate(problem, segment, decisions.operators, stop);
    if (!done) return std::nullopt;
  }
  if (!is_cim_mlc) return decisions;
  for (const auto& segment : decisions.segments) {
    if (balanced) balance(problem, segment, decisions.operators);
    if (is_text) limit_copies(problem, segment, decisions.operators);
  }
  decisions.levels = allowed(levels, problem.machine.mode);
  if (decisions.levels.mvm) fill_cores(problem, decisions.operators);
  if (is_text && decisions.levels.vvm) remap_rows(problem, decisions.levels, decisions.operators);
  if (!is_text || !decisions.levels.stream) return decisions;
  if (!stagger(problem, decisions, stop)) return std::nullopt;
  return decisions;
}

}  // namespace nestor::chip
