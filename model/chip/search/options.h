// What is worth choosing for one operator when only latency counts (docs/models/chip.md, section 8): ways to
// take cores for speed, none of which another beats in every component. For d <= W only numbers of copies
// with another ceil(W / D) matter, beyond that whole rows. Without a cost of the network on chip the schedule
// is monotone in each component, so what is dominated can go.
#pragma once

#include <vector>

#include "model/chip/pace.h"

namespace nestor::chip {

struct LatencyOption {
  Int cores = 0;
  Int row = 0;
  Int lanes = 1;
  Int in = 0;
  Int out = 0;
  Int gate = 0;
  OperatorDecision decision;
};

/// In ascending order of cores; never empty unless an array operator does not fit the chip.
std::vector<LatencyOption> latency_options(const ChipProblem& problem, std::size_t op, Levels levels);

/// Those of all operators.
using OptionTable = std::vector<std::vector<LatencyOption>>;
OptionTable latency_options(const ChipProblem& problem, Levels levels);

/// Row parts worth trying: the fewest of each number of activations of a crossbar.
std::vector<Int> useful_parts(const ChipProblem& problem, std::size_t op, Levels levels);

/// Every number of copies that fits the chip and changes the pace of a row.
std::vector<Int> useful_copies(const ChipProblem& problem, std::size_t op, Int parts, Levels levels);

}  // namespace nestor::chip
