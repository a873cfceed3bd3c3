// The search of one branch for points of the latency-energy front (front.h).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/cim_space/directed_run.h"
#include "model/cim_space/front.h"

namespace nestor::cim {

template <typename Storage>
class FrontRun final : public BranchRun, private CompletionListener {
 public:
  FrontRun(std::unique_ptr<DirectedRun<Branch, Storage>> run, FrontCollector& collector, std::size_t number)
      : run_(std::move(run)), collector_(collector), number_(number) {}

  SearchEnd advance(double target, double cut, const SearchBudget& budget) override {
    return collect(budget, [&](const SearchBudget& own) { return run_->advance(target, cut, own); });
  }
  SearchEnd dive(double cut, const SearchBudget& budget) override {
    return collect(budget, [&](const SearchBudget& own) { return run_->dive(cut, own); });
  }
  double least_open() const override { return run_->least_open(); }
  bool untouched() const override { return run_->untouched(); }
  double best_cost() const override { return no_cost; }
  const SearchCounts& counts() const override { return run_->counts(); }
  Mapping solution() const override { return run_->solution(); }

 private:
  template <typename Turn>
  SearchEnd collect(SearchBudget budget, Turn turn) {
    stairs_ = collector_.stairs();
    run_->use_stairs(stairs_.view());
    budget.listener = this;
    const SearchEnd end = turn(budget);
    collector_.deliver(number_, std::exchange(found_, {}));
    return end;
  }

  void completed() override {
    const FrontPoint point = front_point(run_->problem(), run_->solution());
    if (!stairs_.add(point)) return;
    run_->use_stairs(stairs_.view());
    found_.push_back(point);
  }

  std::unique_ptr<DirectedRun<Branch, Storage>> run_;
  FrontCollector& collector_;
  std::size_t number_;
  GrowingStairs stairs_;  // of all branches up to the last round, and of this turn
  std::vector<FrontPoint> found_;
};

}  // namespace nestor::cim
