// Proved least price of one pipelined segment within limits (docs/models/chip.md, section 8). The price
// combines the cycles and the energy of a schedule that ends in time and keeps the energy limit. So "least
// energy within so many cycles", "least cycles within so much energy" and "energy with leakage" are one
// search.
//
// It is a branch and bound over options per operator, like segment_search.h, for prices that are sums. Bounds
// come from Lagrange multipliers on longest paths and on the energy limit. They make the price separable, and
// a multiple-choice knapsack over cores finds its least value. A linear program over the knapsack's answers
// and their longest paths proposes the multipliers; all multipliers are safe, eq. (8.3).
//
// The result is exact if transfers between cores cost nothing, else a bound. Prices are doubles, so claims
// hold to 1e-9.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "model/chip/search/options.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct PricedGoal {
  double per_cycle = 0;        ///< price of a cycle of the schedule
  bool energy = true;          ///< the price includes energy
  Int latest = INT64_MAX / 4;  ///< latest allowed end of the schedule
  double most_energy = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();  ///< only lower prices are searched
};

struct PricedOutcome {
  bool complete = false;  ///< false: the search was stopped
  double bound = 0;       ///< least price of all schedules within the limits, or `below` if that is smaller
  double price = std::numeric_limits<double>::infinity();  ///< price of the decisions, if found
  std::vector<OperatorDecision> decisions;                 ///< by position in the segment; empty if none were
                                                           ///< found
  std::uint64_t nodes = 0;
};

/// `options` are those of all operators of the network, with energies.
PricedOutcome search_priced(const ChipProblem& problem, const SegmentDecision& segment,
                            std::span<const std::vector<LatencyOption>> options, const PricedGoal& goal,
                            std::uint64_t most_nodes, const StopSource& stop);

}  // namespace nestor::chip
