// Result of a run of the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/cost.h"
#include "base/status.h"
#include "solver/search/label_search.h"

namespace nestor {

/// A solution, its cost and the number of its branch.
template <typename Solution>
struct FoundSolution {
  double cost = no_cost;
  std::size_t branch = 0;
  Solution solution;
};

/// Result of a run.
template <typename Solution>
struct EngineOutcome {
  Status status = Status::infeasible;
  double bound = 0;
  std::vector<FoundSolution<Solution>> best;  ///< in ascending cost, at most keep_best, one per branch
  SearchCounts counts;
  std::uint64_t branches = 0;
  std::uint64_t branches_opened = 0;
  std::uint64_t rounds = 0;
  std::vector<std::pair<std::uint64_t, double>> incumbents;  ///< (work, cost) of each improvement
  std::vector<std::pair<std::size_t, double>>
      left_open;  ///< at a limit: (branch, bound) of every branch with a bound below the incumbent
};

}  // namespace nestor
