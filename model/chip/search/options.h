// Options of one operator for an exact search (docs/models/chip.md, section 8): ways to take cores for speed,
// none of which another beats in every component. For d <= W only numbers of copies with another ceil(W / D)
// matter, beyond that whole rows. Without a cost of the network on chip the schedule is monotone in each
// component, so what is dominated can go. Where energy counts, it is a component too; where power is limited,
// crossbars take turns (phases) as far as the limit asks for it.
#pragma once

#include <optional>
#include <vector>

#include "model/chip/pace.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct LatencyOption {
  Int cores = 0;
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  double energy = 0;  ///< of all rows and of writing; 0 where energy does not count
  OperatorDecision decision;
  // Of streams, else 0 (docs/models/chip.md, section 8, "Streams").
  Int first = 0;  ///< from the run of a row to its first pixels
  Int rest = 0;   ///< from there to its end
  Int last = 0;   ///< a step
};

/// Which figures besides time count.
struct OptionFigures {
  bool energy = false;
  bool several = false;              ///< there are other segments: weights are written, which takes energy
  std::optional<double> peak_power;  ///< limit; an option that cannot keep it is left out
};

/// With level stream the options are a relaxation: whatever the phases of a decision, an option is no worse
/// in any figure. In ascending order of cores; empty if an array operator does not fit the chip, or keeps no
/// limit on power. With a limit on power the options are a relaxation: no legal decision beats them all.
std::vector<LatencyOption> latency_options(const ChipProblem& problem, std::size_t op, Levels levels,
                                           const OptionFigures& figures = {},
                                           const StopSource* stop = nullptr);

/// Those of all operators.
using OptionTable = std::vector<std::vector<LatencyOption>>;
/// A stop leaves the table incomplete.
OptionTable latency_options(const ChipProblem& problem, Levels levels, const OptionFigures& figures = {},
                            const StopSource* stop = nullptr);

/// Energy of an operator's rows and of what is written for it, without transfers, spills and leakage.
double operator_energy(const ChipProblem& problem, std::size_t op, const Pace& pace, bool several);

/// Row parts worth trying: the fewest of each number of activations of a crossbar.
std::vector<Int> useful_parts(const ChipProblem& problem, std::size_t op, Levels levels);

/// Every number of copies that fits the chip and changes the pace of a row.
std::vector<Int> useful_copies(const ChipProblem& problem, std::size_t op, Int parts, Levels levels);

}  // namespace nestor::chip
