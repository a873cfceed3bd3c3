// Least price of one pipelined segment within limits, proved (docs/models/chip.md, section 8): what cycles
// and energy of its schedule cost together, where the schedule ends in time and the energy keeps its limit.
// So "least energy in so many cycles", "least cycles within so much energy" and "energy with leakage" are one
// search.
//
// Branch and bound over options per operator, like segment_search.h, for prices that are sums. Bounds come
// from Lagrange multipliers on longest paths and on the energy limit: with them the price is separable, and a
// multiple-choice knapsack over cores finds its least value. A linear program over the knapsack's answers and
// their longest paths says which multipliers to try; any of them are safe (8.3).
//
// Exact where transfers between cores cost nothing, else a bound. Prices are doubles: claims hold to 1e-9.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "model/chip/search/options.h"
#include "solver/engine/stop_source.h"

namespace nestor::chip {

struct PricedGoal {
  double per_cycle = 0;        ///< price of a cycle of the schedule
  bool energy = true;          ///< is energy part of the price?
  Int latest = INT64_MAX / 4;  ///< the schedule takes no longer
  double most_energy = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();  ///< only lower prices are of interest
};

struct PricedOutcome {
  bool complete = false;  ///< false: stopped
  double bound = 0;       ///< no schedule within the limits has a lower price, unless it reaches `below`
  double price = std::numeric_limits<double>::infinity();  ///< of the decisions, if any were found
  std::vector<OperatorDecision> decisions;                 ///< by position in the segment; empty: none
  std::uint64_t nodes = 0;
};

/// `options`: of all operators of the network, made with energy.
PricedOutcome search_priced(const ChipProblem& problem, const SegmentDecision& segment,
                            std::span<const std::vector<LatencyOption>> options, const PricedGoal& goal,
                            std::uint64_t most_nodes, const StopSource& stop);

}  // namespace nestor::chip
