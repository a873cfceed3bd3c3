// The cim space as the engine sees it on a desktop: one branch per spatial choice, and a cache of operand
// tables, since many choices differ only in what one operand does not see.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "model/cim_space/front_run.h"

namespace nestor::cim {

/// From where temporal loops are placed. Either direction answers a problem of energy alone
/// (InwardBranch::answers), all others need the first.
enum class Direction : std::uint8_t { outward, inward };

template <typename Storage>
class CimSpace {
 public:
  using Solution = Mapping;
  using Run = BranchRun;

  explicit CimSpace(const Problem& problem, Direction direction = Direction::outward,
                    const ChoiceList::GoOn& go_on = {})
      : choices_(problem, go_on),
        direction_(direction),
        cache_(choices_.problem(), direction == Direction::inward) {}

  const Problem& problem() const { return choices_.problem(); }
  const ChoiceList& choices() const { return choices_; }
  /// From now on every branch looks for points of the latency-energy front, of a front_problem.
  void collect(FrontCollector& front) { front_ = &front; }
  void round_ended() {
    if (front_ != nullptr) front_->round_ended();
  }
  /// Refines the bound of every branch that is searched; see DirectedRun::refine_with. Called from many
  /// threads, and a function of its arguments only.
  using Refinement = std::function<double(std::size_t branch, double enough)>;
  void refine_with(Refinement refinement) { refinement_ = std::move(refinement); }

  std::size_t branch_count() const { return choices_.count(); }
  double branch_bound(std::size_t branch) const {
    if (front_ == nullptr) return choices_.bound(branch);
    const double additive = std::max(choices_.least_additive(), problem().known_additive);
    const bool covered = front_->stairs().view().cover(choices_.least_latency(branch), additive);
    return covered ? no_cost : choices_.bound(branch);
  }

  /// The search of a branch; empty if memory is short.
  std::unique_ptr<Run> open(std::size_t branch, Storage storage) {
    if (direction_ == Direction::inward) return open_as<InwardBranch>(branch, storage);
    auto run = open_as<Branch>(branch, storage);
    if (!run || front_ == nullptr) return run;
    return std::make_unique<FrontRun<Storage>>(std::move(run), *front_, branch);
  }
  /// The same with its type known, which is that of the space's direction.
  template <typename AnyBranch>
  std::unique_ptr<DirectedRun<AnyBranch, Storage>> open_as(std::size_t branch, Storage storage) {
    auto run =
        std::make_unique<DirectedRun<AnyBranch, Storage>>(storage, choices_, choices_.choice(branch), cache_);
    if (!run->prepare()) return nullptr;
    if (refinement_) run->refine_with([this, branch](double enough) { return refinement_(branch, enough); });
    return run;
  }

 private:
  ChoiceList choices_;
  Direction direction_;
  TableCache<Storage> cache_;
  Refinement refinement_;
  FrontCollector* front_ = nullptr;
};

}  // namespace nestor::cim
