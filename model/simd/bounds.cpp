#include "model/simd/bounds.h"

#include <algorithm>
#include <numeric>

#include "model/simd/alive_bound.h"
#include "model/simd/delivery.h"

namespace nestor::simd {

namespace {

/// Limits on the work of DeliverySearch, in reads of gates.
constexpr std::uint64_t brief_budget = 2'000'000, thorough_budget = 200'000'000;
/// Maximum number of nodes visited in cuts, which corresponds to a few milliseconds, and the least number of
/// nodes per gate for a useful bound.
constexpr std::uint64_t brief_cuts = 400'000, cuts_per_gate = 500;

/// Disjoint sets of values that the reads of gates connect.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

// Bound of docs/models/simd.md (4.1): the sum of s and m.
LowerBound input_bound(const ScheduleProblem& problem) {
  std::uint32_t stuck = 0;
  for (Value input = 0; input < problem.input_count(); ++input)
    if (problem.free_rows(problem.home_of(input)) == 0 && !problem.readers(input).empty()) ++stuck;

  // A component that is connected by reads and includes inputs of k arrays needs k - 1 copies of its values
  // to connect these arrays. Inputs of full arrays are excluded, since they are counted above.
  Groups groups(problem.value_count());
  const auto counts = [&](Value value) {
    return !problem.is_input(value) || problem.free_rows(problem.home_of(value)) != 0;
  };
  for (std::uint32_t gate = 0; gate < problem.gate_count(); ++gate)
    for (const Value value : problem.fanins(gate))
      if (value != no_value && counts(value)) groups.join(problem.value_of_gate(gate), value);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> touches;  // component, array
  for (Value input = 0; input < problem.input_count(); ++input)
    if (counts(input) && !problem.readers(input).empty())
      touches.emplace_back(groups.find(input), problem.home_of(input));
  std::sort(touches.begin(), touches.end());
  touches.erase(std::unique(touches.begin(), touches.end()), touches.end());
  std::uint32_t meetings = 0;
  for (std::size_t i = 1; i < touches.size(); ++i)
    if (touches[i].first == touches[i - 1].first) ++meetings;

  LowerBound bound{stuck + meetings, {}};
  if (stuck > 0)
    bound.argument = std::to_string(stuck) +
                     " inputs that are read are in arrays without a free row, where no gate can run";
  if (meetings > 0)
    bound.argument += (stuck > 0 ? "; " : "") + std::to_string(meetings) +
                      " times, inputs of another array must join a connected part of the netlist";
  return bound;
}

std::uint32_t outputs_elsewhere(const ScheduleProblem& problem) {
  if (problem.input_count() == 0) return 0;
  std::uint64_t rows = 0;
  for (std::uint32_t array = 0; array < problem.home_arrays(); ++array) rows += problem.free_rows(array);
  const std::uint64_t outputs = problem.stay_count();
  return outputs <= rows ? 0 : static_cast<std::uint32_t>(outputs - rows);
}

LowerBound output_bound(const ScheduleProblem& problem, bool recompute, BoundEffort effort,
                        const Stop& stop) {
  const std::uint32_t elsewhere = outputs_elsewhere(problem);
  const std::uint32_t delivered =
      DeliverySearch(problem, !recompute, stop)
          .fewest(elsewhere, effort == BoundEffort::brief ? brief_budget : thorough_budget);
  if (delivered == 0) return {};
  return {delivered, std::to_string(elsewhere) + " of the " + std::to_string(problem.stay_count()) +
                         " outputs do not fit into arrays that hold inputs, and storing " +
                         (elsewhere == 1 ? "it" : "as many") + " in arrays that begin empty takes " +
                         std::to_string(delivered) + (delivered == 1 ? " copy" : " copies") +
                         (recompute ? "" : " where every gate is computed once")};
}

LowerBound alive_bound(const ScheduleProblem& problem, std::uint64_t budget, const Stop& stop) {
  if (problem.gate_count() == 0) return {};
  AliveBound search(problem, stop);
  const std::uint32_t copies = search.fewest(budget);
  const std::uint32_t stuck = search.inputs_in_full_arrays();
  if (copies <= stuck) return {};
  std::string argument = "in any order " + std::to_string(search.alive()) +
                         " values are alive at a time, and arrays that hold inputs have rows for " +
                         std::to_string(search.rows());
  if (stuck > 0) argument += "; " + std::to_string(stuck) + " inputs that are read are in full arrays";
  return {copies, std::move(argument)};
}

LowerBound lower_bound(const ScheduleProblem& problem, bool recompute, BoundEffort effort, const Stop& stop) {
  LowerBound best = input_bound(problem);
  if (LowerBound other = output_bound(problem, recompute, effort, stop); other.copies > best.copies)
    best = std::move(other);
  if (!recompute && problem.gate_count() * cuts_per_gate <= brief_cuts)
    if (LowerBound other = alive_bound(problem, brief_cuts, stop); other.copies > best.copies)
      best = std::move(other);
  if (best.copies == 0) best.argument = "no schedule has fewer than 0 copies";
  return best;
}

}  // namespace nestor::simd
