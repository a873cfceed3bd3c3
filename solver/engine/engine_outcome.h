// Result of a run of the engine.
#pragma once

#include <algorithm>
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

/// Inserts a solution into a list in ascending cost, which holds at most `most` solutions and one per branch;
/// in a tie, the earlier one.
template <typename Solution>
void keep_best(std::vector<FoundSolution<Solution>>& best, FoundSolution<Solution> found, std::size_t most) {
  const auto same =
      std::find_if(best.begin(), best.end(), [&](const auto& other) { return other.branch == found.branch; });
  if (same != best.end()) {
    if (same->cost <= found.cost) return;
    best.erase(same);
  }
  const auto at = std::upper_bound(best.begin(), best.end(), found.cost,
                                   [](double cost, const auto& other) { return cost < other.cost; });
  best.insert(at, std::move(found));
  if (best.size() > most) best.pop_back();
}

}  // namespace nestor
