// Search in one branch for points of the latency-energy front (front.h).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/loopnest/space/front.h"
#include "model/loopnest/space/nest_run.h"

namespace nestor {

/// A branch whose solutions are points of a front. front_point(problem, solution) is declared next to the
/// problem type.
template <typename B>
concept FrontBranch = StaircaseBranch<B> &&
    requires(const typename B::Problem& problem, const typename B::Solution& solution) {
  { front_point(problem, solution) } -> std::same_as<FrontPoint<typename B::Solution>>;
};

template <FrontBranch Branch, BudgetedStorage Storage>
class FrontRun final : public BranchRun<typename Branch::Solution>, private CompletionListener {
 public:
  using Solution = typename Branch::Solution;

  FrontRun(std::unique_ptr<NestRun<Branch, Storage>> run, FrontCollector<Solution>& collector,
           std::size_t number)
      : run_(std::move(run)), collector_(collector), number_(number) {}

  SearchEnd advance(double target, double cut, const SearchBudget& budget) override {
    return collect(budget, [&](const SearchBudget& own) { return run_->advance(target, cut, own); });
  }
  SearchEnd dive(double cut, const SearchBudget& budget) override {
    return collect(budget, [&](const SearchBudget& own) { return run_->dive(cut, own); });
  }
  SearchEnd beam(std::uint32_t width, double cut, const SearchBudget& budget) override {
    return collect(budget, [&](const SearchBudget& own) { return run_->beam(width, cut, own); });
  }
  double opened_bound(double limit, std::uint64_t table_work) override {
    return run_->opened_bound(limit, table_work);
  }
  double tightened(double limit, const TableWork& work) override { return run_->tightened(limit, work); }
  std::uint64_t most_table_work() const override { return run_->most_table_work(); }
  double least_open() const override { return run_->least_open(); }
  bool untouched() const override { return run_->untouched(); }
  double best_cost() const override { return no_cost; }
  const SearchCounts& counts() const override { return run_->counts(); }
  Solution solution() const override { return run_->solution(); }
  KeptLabels kept() const override { return run_->kept(); }
  bool exchange(StateWriter& state) override { return run_->exchange(state); }
  bool exchange(StateReader& state) override { return run_->exchange(state); }

 private:
  template <typename Turn>
  SearchEnd collect(SearchBudget budget, Turn turn) {
    staircase_ = collector_.staircase();
    run_->branch().use_staircase(staircase_.view());
    budget.listener = this;
    const SearchEnd end = turn(budget);
    collector_.deliver(number_, std::exchange(found_, {}));
    return end;
  }

  void completed() override {
    const FrontPoint<Solution> point = front_point(run_->problem(), run_->solution());
    if (!staircase_.add(point.latency, point.energy)) return;
    run_->branch().use_staircase(staircase_.view());
    found_.push_back(point);
  }

  std::unique_ptr<NestRun<Branch, Storage>> run_;
  FrontCollector<Solution>& collector_;
  std::size_t number_;
  GrowingStaircase staircase_;  // points of all branches up to the last round, and of this turn
  std::vector<FrontPoint<Solution>> found_;
};

}  // namespace nestor
