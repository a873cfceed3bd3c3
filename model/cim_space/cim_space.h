// The cim space as the engine sees it on a desktop: one branch per spatial choice, and a cache of operand
// tables, since many choices differ only in what one operand does not see.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "model/cim/space/branch.h"
#include "model/cim_space/choice_list.h"
#include "model/cim_space/table_cache.h"
#include "solver/core/label_search.h"

namespace nestor::cim {

/// The search of one branch with everything it stands on. `Storage` is what LabelSearch asks for.
template <typename Storage>
class BranchRun {
 public:
  BranchRun(Storage storage, std::size_t lattice_bytes)
      : lattices_(lattice_bytes), search_(branch_, storage) {}

  bool prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
               TableCache& cache) {
    std::array<const OperandTable*, operand_count> tables{};
    for (const Operand operand : all_operands) {
      auto& table = tables_[index_of(operand)];
      table = cache.get(make_setup(problem, lattices, choice, operand));
      if (!table) return false;
      tables[index_of(operand)] = table.get();
    }
    Arena arena(lattices_);
    const auto setup = branch_.prepare(problem, lattices, choice, tables, arena);
    feasible_ = setup == Branch::Setup::ready;
    return feasible_ || setup == Branch::Setup::infeasible;
  }

  SearchEnd advance(double target, double cut, const SearchBudget& budget) {
    return feasible_ && branch_.root_bound() < target ? search_.advance(target, cut, budget)
                                                      : SearchEnd::reached;
  }
  SearchEnd dive(double cut, const SearchBudget& budget) {
    return feasible_ ? search_.dive(cut, budget) : SearchEnd::reached;
  }
  double least_open() const { return feasible_ ? search_.least_open() : no_cost; }
  bool untouched() const { return search_.untouched(); }
  double best_cost() const { return search_.best_cost(); }
  const SearchCounts& counts() const { return search_.counts(); }
  Mapping solution() const { return branch_.mapping(search_); }
  const Branch& branch() const { return branch_; }

 private:
  std::vector<std::byte> lattices_;
  std::array<std::shared_ptr<const OperandTable>, operand_count> tables_;
  Branch branch_;
  bool feasible_ = false;
  LabelSearch<Branch, Storage> search_;
};

template <typename Storage>
class CimSpace {
 public:
  using Solution = Mapping;
  using Run = BranchRun<Storage>;

  explicit CimSpace(const Problem& problem) : choices_(problem), cache_(choices_.problem()) {}

  const Problem& problem() const { return choices_.problem(); }
  std::size_t branch_count() const { return choices_.count(); }
  double branch_bound(std::size_t branch) const { return choices_.bound(branch); }

  std::unique_ptr<Run> open(std::size_t branch, Storage storage) {
    auto run = std::make_unique<Run>(storage, choices_.lattice_bytes());
    if (!run->prepare(choices_.problem(), choices_.lattices(), choices_.choice(branch), cache_))
      return nullptr;
    return run;
  }

 private:
  ChoiceList choices_;
  TableCache cache_;
};

}  // namespace nestor::cim
