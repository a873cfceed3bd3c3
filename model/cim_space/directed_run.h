// The search of one branch with everything it stands on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "model/cim/space/branch.h"
#include "model/cim_space/choice_list.h"
#include "model/cim_space/table_cache.h"
#include "solver/search/label_search.h"

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

/// The search of one branch, which is of type Branch or InwardBranch, with everything it stands on. `Storage`
/// is what LabelSearch asks for, and `bool tight()`: whether memory is getting short. Then the run gives its
/// tables back between its turns.
template <typename AnyBranch, typename Storage>
class DirectedRun final : public BranchRun {
 public:
  DirectedRun(Storage storage, const ChoiceList& choices, const SpatialChoice& choice,
              TableCache<Storage>& cache)
      : storage_(storage),
        choices_(choices),
        choice_(choice),
        cache_(cache),
        lattices_(storage),
        search_(branch_, storage) {}

  bool prepare() {
    if (!lattices_.resize(choices_.lattice_bytes(), std::byte{}) || !find_tables()) return false;
    Arena arena({lattices_.begin(), lattices_.end()});
    const Problem& problem = choices_.problem();
    typename AnyBranch::Setup setup{};
    if constexpr (inward)
      setup =
          branch_.prepare(problem, choices_.lattices(), choice_, outward_tables(), inward_tables(), arena);
    else
      setup = branch_.prepare(problem, choices_.lattices(), choice_, outward_tables(), arena);
    feasible_ = setup == AnyBranch::Setup::ready;
    if (storage_.tight()) tables_ = {};
    return feasible_ || setup == AnyBranch::Setup::infeasible;
  }

  /// A dearer bound on the whole branch, asked for when the search is about to begin in earnest.
  void refine_with(std::function<double(double enough)> refinement) { refinement_ = std::move(refinement); }

  SearchEnd advance(double target, double cut, const SearchBudget& budget) override {
    if (!feasible_ || std::max(branch_.root_bound(), refined_bound_) >= target) return SearchEnd::reached;
    if (refinement_) {
      refined_bound_ = std::exchange(refinement_, nullptr)(cut);
      if (refined_bound_ >= target) return SearchEnd::reached;
    }
    return with_tables([&] { return search_.advance(target, cut, budget); });
  }
  SearchEnd dive(double cut, const SearchBudget& budget) override {
    if (!feasible_) return SearchEnd::reached;
    return with_tables([&] { return search_.dive(cut, budget); });
  }
  double least_open() const override {
    return feasible_ ? std::max(search_.least_open(), refined_bound_) : no_cost;
  }
  bool untouched() const override { return search_.untouched() && refined_bound_ == no_bound; }
  double best_cost() const override { return search_.best_cost(); }
  const SearchCounts& counts() const override { return search_.counts(); }
  Mapping solution() const override { return branch_.mapping(search_); }
  const AnyBranch& branch() const { return branch_; }
  const Problem& problem() const { return choices_.problem(); }
  void use_stairs(Stairs stairs) { branch_.use_stairs(stairs); }

 private:
  static constexpr bool inward = std::is_same_v<AnyBranch, InwardBranch>;

  bool find_tables() {
    for (const Operand operand : all_operands) {
      auto& table = tables_[index_of(operand)];
      table = cache_.get(make_setup(choices_.problem(), choices_.lattices(), choice_, operand), storage_);
      if (!table) return false;
    }
    return true;
  }
  typename AnyBranch::Tables outward_tables() const {
    return {&tables_[0]->outward, &tables_[1]->outward, &tables_[2]->outward};
  }
  InwardBranch::InwardTables inward_tables() const {
    return {&tables_[0]->inward, &tables_[1]->inward, &tables_[2]->inward};
  }

  template <typename Turn>
  SearchEnd with_tables(Turn turn) {
    if (!tables_[0]) {
      if (!find_tables()) return SearchEnd::out_of_memory;
      if constexpr (inward)
        branch_.use_tables(outward_tables(), inward_tables());
      else
        branch_.use_tables(outward_tables());
    }
    const SearchEnd end = turn();
    if (storage_.tight()) tables_ = {};
    return end;
  }

  Storage storage_;
  const ChoiceList& choices_;
  const SpatialChoice& choice_;
  TableCache<Storage>& cache_;
  typename Storage::template Array<std::byte> lattices_;
  std::array<std::shared_ptr<const TablePair>, operand_count> tables_;
  AnyBranch branch_;
  bool feasible_ = false;
  std::function<double(double)> refinement_;
  double refined_bound_ = no_bound;
  LabelSearch<AnyBranch, Storage> search_;
};

}  // namespace nestor::cim
