// Options of one operator for an exact search (docs/models/chip.md, section 8): the combinations of cores and
// speed that no other combination dominates. Except in mode CM, the useful numbers D of copies up to W are
// the least for each value of ceil(W / D); above W, they are the multiples of W. Without NoC costs, the times
// of a schedule are monotone in each component of an option, so dominated options can be dropped. If energy
// is relevant, it is also a component. If power is limited, crossbars take turns (phases) to satisfy the
// limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "model/chip/operator_timing.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct LatencyOption {
  Int cores = 0;
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  double energy = 0;  ///< energy of all rows and of writes; 0 if energy is irrelevant
  OperatorDecision decision;
  // Used by streams, otherwise 0 (docs/models/chip.md, section 8, "Streams").
  Int first = 0;  ///< cycles from the start of a row's run to its first pixels
  Int rest = 0;   ///< cycles from its first pixels to its end
  Int last = 0;   ///< cycles of a step
};

/// Relevant figures in addition to time.
struct OptionFigures {
  bool energy = false;
  /// True if there are other segments, so that writing weights takes energy.
  bool several = false;
  std::optional<double> peak_power;  ///< limit; options that exceed it are dropped
};

/// Returns the options of an operator that no other option dominates, in ascending order of cores. The list
/// is empty if an array operator does not fit the chip or exceeds the power limit. With level stream or a
/// limit on power, the options are a relaxation: for each legal decision, some option is no worse in any
/// figure.
std::vector<LatencyOption> latency_options(const ChipProblem& problem, std::size_t op, Levels levels,
                                           const OptionFigures& figures = {},
                                           const StopSource* stop = nullptr);

/// Options of all operators.
using OptionTable = std::vector<std::vector<LatencyOption>>;
/// Returns the options of all operators. The table is incomplete after a stop.
OptionTable latency_options(const ChipProblem& problem, Levels levels, const OptionFigures& figures = {},
                            const StopSource* stop = nullptr);

/// True if the operators have the same options: equal kinds and sizes, and a gated input in both or neither.
bool has_same_options(const Operator& a, const Operator& b);

/// Returns the lists that `make(i)` returns for every operator. Networks repeat blocks, so lists of operators
/// with the same options are copied.
template <typename Make>
auto options_of_all(const ChipProblem& problem, const Make& make) {
  std::vector<decltype(make(std::size_t{}))> table;
  const auto& operators = problem.network.operators;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const auto alike =
        std::find_if(operators.begin(), operators.begin() + static_cast<std::ptrdiff_t>(i),
                     [&](const Operator& before) { return has_same_options(before, operators[i]); });
    const auto at = static_cast<std::size_t>(alike - operators.begin());
    table.push_back(at < i ? table[at] : make(i));
  }
  return table;
}

/// Returns the options for which `beats(other, option)` is false for every earlier option that is returned.
/// Options that may beat many others should be just before them. Ends early after a stop.
template <typename Option, typename Beats>
std::vector<Option> undominated(const std::vector<Option>& sorted, const Beats& beats,
                                const StopSource* stop = nullptr) {
  std::vector<Option> kept;
  for (std::size_t o = 0; o < sorted.size(); ++o) {
    if (o % 64 == 0 && stop != nullptr && stop->requested()) break;
    if (std::none_of(kept.rbegin(), kept.rend(),
                     [&](const Option& other) { return beats(other, sorted[o]); }))
      kept.push_back(sorted[o]);
  }
  return kept;
}

/// Returns the energy of an operator's rows and writes, without transfers, spills and leakage.
double operator_energy(const ChipProblem& problem, std::size_t op, const OperatorTiming& pace, bool several);

/// Returns the numbers of row parts to try: the smallest number for each number of activations of a crossbar
/// per MVM.
std::vector<Int> useful_parts(const ChipProblem& problem, std::size_t op, Levels levels);

/// Returns every number of copies that fits the chip and changes the speed of the operator.
std::vector<Int> useful_copies(const ChipProblem& problem, std::size_t op, Int parts, Levels levels);

}  // namespace nestor::chip
