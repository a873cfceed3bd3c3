// Search space of schedules for the engine: a single branch, which a LabelSearch over ExactBranch searches.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "model/simd/search/exact_branch.h"

namespace nestor::simd {

template <typename Storage>
class ScheduleSpace {
 public:
  using Solution = std::vector<ExactBranch::Step>;

  class Run {
   public:
    Run(const ExactBranch& branch, Storage storage) : search_(branch, storage) {}

    SearchEnd advance(double target, double cut, const SearchBudget& budget) {
      return search_.advance(target, cut, budget);
    }
    SearchEnd dive(double cut, const SearchBudget& budget) { return search_.dive(cut, budget); }
    double least_open() const { return search_.least_open(); }
    bool untouched() const { return search_.untouched(); }
    double best_cost() const { return search_.best_cost(); }
    const SearchCounts& counts() const { return search_.counts(); }
    Solution solution() const {
      Solution steps;
      search_.walk_back([&](const ExactBranch::Label& /*before*/, const ExactBranch::Label& after) {
        steps.push_back(after.step);
      });
      std::reverse(steps.begin(), steps.end());
      return steps;
    }

   private:
    LabelSearch<ExactBranch, Storage> search_;
  };

  explicit ScheduleSpace(const ExactBranch& branch) : branch_(&branch) {}

  std::size_t branch_count() const { return 1; }
  double branch_bound(std::size_t /*branch*/) const { return branch_->root_bound(); }
  std::unique_ptr<Run> open(std::size_t /*branch*/, Storage storage) {
    return std::make_unique<Run>(*branch_, storage);
  }

 private:
  const ExactBranch* branch_;
};

}  // namespace nestor::simd
