// Loop-nest spaces with the interface that the engine requires. There is one branch per spatial choice. The
// branches share a cache of tables, because many choices differ only in dimensions irrelevant to some
// operand. NestSpace is the common part of all spaces. BranchSpace searches with one type of branch.
// FrontSpace extends it to search for the latency-energy front.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "model/loopnest/space/choice_bounds.h"
#include "model/loopnest/space/front_run.h"

namespace nestor {

template <typename Problem, typename Mapped, BudgetedStorage Storage>
class NestSpace {
 public:
  using Solution = Mapped;
  using Run = BranchRun<Solution>;

  /// `rules_of(problem)` builds the rules of the enumeration from the copy of the problem that the space
  /// owns.
  template <typename RulesOf>
  NestSpace(const Problem& problem, const RulesOf& rules_of)
      : problem_(problem), choices_(problem_, problem_.machine, rules_of(problem_)) {}
  NestSpace(const NestSpace&) = delete;
  NestSpace& operator=(const NestSpace&) = delete;
  virtual ~NestSpace() = default;

  const Problem& problem() const { return problem_; }
  const ChoiceList& choices() const { return choices_; }

  /// Refines the bound of every branch that is searched; see NestRun::refine_with. Many threads call the
  /// refinement, so it must depend only on its arguments.
  using Refinement = std::function<double(std::size_t branch, double enough)>;
  void refine_with(Refinement refinement) { refinement_ = std::move(refinement); }

  std::size_t branch_count() const { return choices_.count(); }
  virtual double branch_bound(std::size_t branch) const { return choices_.bound(branch); }
  /// Raises the bound of a branch to one that is proved elsewhere.
  void raise_bound(std::size_t branch, double bound) { choices_.raise_bound(branch, bound); }
  /// Opens the search of a branch; returns null if NestRun::prepare() fails.
  virtual std::unique_ptr<Run> open(std::size_t branch, Storage storage) = 0;
  virtual void round_ended() {}
  /// Writes or reads the data that the space itself has collected (KeepsState).
  virtual bool exchange(StateWriter& /*state*/) { return true; }
  virtual bool exchange(StateReader& /*state*/) { return true; }

 protected:
  const Refinement& refinement() const { return refinement_; }

 private:
  Problem problem_;
  ChoiceList choices_;
  Refinement refinement_;
};

template <NestBranch Branch, BudgetedStorage Storage>
class BranchSpace : public NestSpace<typename Branch::Problem, typename Branch::Solution, Storage> {
 public:
  using Base = NestSpace<typename Branch::Problem, typename Branch::Solution, Storage>;
  using typename Base::Run;

  template <typename RulesOf>
  BranchSpace(const typename Branch::Problem& problem, const RulesOf& rules_of)
      : Base(problem, rules_of), cache_(this->problem()) {}

  std::unique_ptr<Run> open(std::size_t branch, Storage storage) override {
    return open_branch(branch, storage);
  }
  /// Same as open(), but returns the concrete type.
  std::unique_ptr<NestRun<Branch, Storage>> open_branch(std::size_t branch, Storage storage) {
    auto run =
        std::make_unique<NestRun<Branch, Storage>>(storage, this->problem(), this->choices(), branch, cache_);
    if (!run->prepare()) return nullptr;
    if (const auto& refine = this->refinement())
      run->refine_with([&refine, branch](double enough) { return refine(branch, enough); });
    return run;
  }

 private:
  TableCache<typename Branch::Builder, Storage> cache_;
};

/// Space in which every branch searches for points of the front; the collector must outlive it. A branch is
/// skipped if a collected point dominates its lower bounds (choice_bounds.h).
template <FrontBranch Branch, BudgetedStorage Storage>
class FrontSpace final : public BranchSpace<Branch, Storage> {
 public:
  using Base = BranchSpace<Branch, Storage>;
  using typename Base::Run;

  template <typename RulesOf>
  FrontSpace(const typename Branch::Problem& problem, const RulesOf& rules_of,
             FrontCollector<typename Branch::Solution>& front)
      : Base(problem, rules_of), front_(front) {}

  double branch_bound(std::size_t branch) const override {
    const bool is_covered = covered(this->problem(), this->choices(), branch, front_.staircase().view());
    return is_covered ? no_cost : Base::branch_bound(branch);
  }
  std::unique_ptr<Run> open(std::size_t branch, Storage storage) override {
    auto run = this->open_branch(branch, storage);
    if (!run) return run;
    return std::make_unique<FrontRun<Branch, Storage>>(std::move(run), front_, branch);
  }
  void round_ended() override { front_.round_ended(); }
  bool exchange(StateWriter& state) override { return front_.exchange(state); }
  bool exchange(StateReader& state) override { return front_.exchange(state); }

 private:
  FrontCollector<typename Branch::Solution>& front_;
};

}  // namespace nestor
