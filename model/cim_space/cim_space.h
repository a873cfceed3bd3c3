// The cim space as the engine sees it on a desktop: one branch per spatial choice, and a cache of operand
// tables, since many choices differ only in what one operand does not see.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "model/cim/space/branch.h"
#include "model/cim_space/choice_list.h"
#include "model/cim_space/table_cache.h"
#include "solver/core/label_search.h"

namespace nestor::cim {

/// The search of one branch as the engine sees it.
class BranchRun {
 public:
  BranchRun() = default;
  BranchRun(const BranchRun&) = delete;
  BranchRun& operator=(const BranchRun&) = delete;
  virtual ~BranchRun() = default;

  virtual SearchEnd advance(double target, double cut, const SearchBudget& budget) = 0;
  virtual SearchEnd dive(double cut, const SearchBudget& budget) = 0;
  virtual double least_open() const = 0;
  virtual bool untouched() const = 0;
  virtual double best_cost() const = 0;
  virtual const SearchCounts& counts() const = 0;
  virtual Mapping solution() const = 0;
};

/// The search of one branch, in the direction of `Direction` (Branch or InwardBranch), with everything it
/// stands on. `Storage` is what LabelSearch asks for.
template <typename Direction, typename Storage>
class DirectedRun final : public BranchRun {
 public:
  DirectedRun(Storage storage, std::size_t lattice_bytes)
      : storage_(storage), lattices_(storage), search_(branch_, storage) {
    enough_memory_ = lattices_.resize(lattice_bytes, std::byte{});
  }

  bool prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
               TableCache<Storage>& cache) {
    if (!enough_memory_) return false;
    for (const Operand operand : all_operands) {
      auto& table = tables_[index_of(operand)];
      table = cache.get(make_setup(problem, lattices, choice, operand), storage_);
      if (!table) return false;
    }
    Arena arena({lattices_.begin(), lattices_.end()});
    const auto setup = prepare_branch(problem, lattices, choice, arena);
    feasible_ = setup == Direction::Setup::ready;
    return feasible_ || setup == Direction::Setup::infeasible;
  }

  SearchEnd advance(double target, double cut, const SearchBudget& budget) override {
    return feasible_ && branch_.root_bound() < target ? search_.advance(target, cut, budget)
                                                      : SearchEnd::reached;
  }
  SearchEnd dive(double cut, const SearchBudget& budget) override {
    return feasible_ ? search_.dive(cut, budget) : SearchEnd::reached;
  }
  double least_open() const override { return feasible_ ? search_.least_open() : no_cost; }
  bool untouched() const override { return search_.untouched(); }
  double best_cost() const override { return search_.best_cost(); }
  const SearchCounts& counts() const override { return search_.counts(); }
  Mapping solution() const override { return branch_.mapping(search_); }
  const Direction& branch() const { return branch_; }

 private:
  typename Direction::Setup prepare_branch(const Problem& problem, const Lattices& lattices,
                                           const SpatialChoice& choice, Arena& arena) {
    const typename Direction::Tables outward = {&tables_[0]->outward, &tables_[1]->outward,
                                                &tables_[2]->outward};
    if constexpr (std::is_same_v<Direction, InwardBranch>)
      return branch_.prepare(problem, lattices, choice, outward,
                             {&tables_[0]->inward, &tables_[1]->inward, &tables_[2]->inward}, arena);
    else
      return branch_.prepare(problem, lattices, choice, outward, arena);
  }

  Storage storage_;
  typename Storage::template Array<std::byte> lattices_;
  bool enough_memory_ = true;
  std::array<std::shared_ptr<const TablePair>, operand_count> tables_;
  Direction branch_;
  bool feasible_ = false;
  LabelSearch<Direction, Storage> search_;
};

template <typename Storage>
class CimSpace {
 public:
  using Solution = Mapping;
  using Run = BranchRun;

  explicit CimSpace(const Problem& problem) : choices_(problem), cache_(choices_.problem()) {}

  const Problem& problem() const { return choices_.problem(); }
  std::size_t branch_count() const { return choices_.count(); }
  double branch_bound(std::size_t branch) const { return choices_.bound(branch); }

  /// The search of a branch in the direction that suits the problem; empty if memory is short.
  std::unique_ptr<Run> open(std::size_t branch, Storage storage) {
    if (InwardBranch::answers(problem())) return open_as<InwardBranch>(branch, storage);
    return open_as<Branch>(branch, storage);
  }
  /// Either direction answers a problem of energy alone.
  template <typename Direction>
  std::unique_ptr<DirectedRun<Direction, Storage>> open_as(std::size_t branch, Storage storage) {
    auto run = std::make_unique<DirectedRun<Direction, Storage>>(storage, choices_.lattice_bytes());
    if (!run->prepare(problem(), choices_.lattices(), choices_.choice(branch), cache_)) return nullptr;
    return run;
  }

 private:
  ChoiceList choices_;
  TableCache<Storage> cache_;
};

}  // namespace nestor::cim
