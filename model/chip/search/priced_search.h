// Proved least price of one pipelined segment within limits (docs/models/chip.md, section 8). The price
// combines the cycles and the energy of a schedule that satisfies the limits on its end and its energy.
// Therefore, "least energy in so many cycles", "least cycles within so much energy" and "energy with leakage"
// are special cases of one search.
//
// The search is a branch and bound over options per operator, like segment_search.h, for prices that are
// sums. Bounds come from Lagrange multipliers of longest paths and of the energy limit. The multipliers turn
// the price into a sum over the operators, whose least value a multiple-choice knapsack over cores finds. A
// linear program over the knapsack's answers and their longest paths proposes the multipliers; the bound is
// safe for any multipliers, eq. (8.3).
//
// The result is exact if transfers between cores cost nothing; otherwise it is a bound. Prices are doubles,
// so claims are valid to a relative error of 1e-9.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "model/chip/search/options.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct PricedGoal {
  double per_cycle = 0;        ///< price of a cycle of the schedule
  bool energy = true;          ///< true if the price includes energy
  Int latest = INT64_MAX / 4;  ///< latest allowed end of the schedule
  double most_energy = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();  ///< only schedules with a lower price are searched
};

struct PricedOutcome {
  bool complete = false;  ///< false if the search was stopped
  double bound = 0;       ///< lower bound on the price of all schedules within the limits, at most `below`
  double price = std::numeric_limits<double>::infinity();  ///< price of the decisions
  /// Decisions by position in the segment; empty if no schedule below `below` was found.
  std::vector<OperatorDecision> decisions;
  std::uint64_t nodes = 0;
};

/// Runs the search until it is complete, reaches `most_nodes` nodes or is stopped. `options` are the options
/// of all operators of the network, with energies.
PricedOutcome search_priced(const ChipProblem& problem, const SegmentDecision& segment,
                            std::span<const std::vector<LatencyOption>> options, const PricedGoal& goal,
                            std::uint64_t most_nodes, const StopSource& stop);

}  // namespace nestor::chip
