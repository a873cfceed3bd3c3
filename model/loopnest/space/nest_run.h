// Search of one branch of a loop-nest space. It owns the lattices, the tables and the label search. The
// engine uses it through the interface BranchRun, which hides the type of the branch.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "model/loopnest/search/nest_branch.h"
#include "model/loopnest/space/choice_list.h"
#include "model/loopnest/space/table_cache.h"
#include "solver/engine/concepts.h"
#include "solver/engine/kept_labels.h"
#include "solver/engine/label_state.h"
#include "solver/search/label_beam.h"

namespace nestor {

/// Interface of the search of one branch for the engine (SearchRun).
template <typename Solution>
class BranchRun {
 public:
  BranchRun() = default;
  BranchRun(const BranchRun&) = delete;
  BranchRun& operator=(const BranchRun&) = delete;
  virtual ~BranchRun() = default;

  virtual SearchEnd advance(double target, double cut, const SearchBudget& budget) = 0;
  virtual SearchEnd dive(double cut, const SearchBudget& budget) = 0;
  virtual SearchEnd beam(std::uint32_t width, double cut, const SearchBudget& budget) = 0;
  virtual double opened_bound(double limit, std::uint64_t table_work) = 0;
  virtual double tightened(double limit, const TableWork& work) = 0;
  virtual std::uint64_t most_table_work() const = 0;
  virtual double least_open() const = 0;
  virtual bool untouched() const = 0;
  virtual double best_cost() const = 0;
  virtual const SearchCounts& counts() const = 0;
  virtual Solution solution() const = 0;
  /// Returns the recorded steps for a proof. The spatial factors per axis and dimension identify the branch.
  virtual KeptLabels kept() const = 0;
  /// Writes or reads the state of the search (KeepsState).
  virtual bool exchange(StateWriter& state) = 0;
  virtual bool exchange(StateReader& state) = 0;
};

/// If memory is short, the run releases its tables between its turns. It records the steps of a branch that
/// names them (NamesSteps) for proofs. Its state can be saved if the branch can validate labels
/// (ChecksLabels).
template <NestBranch Branch, BudgetedStorage Storage>
class NestRun final : public BranchRun<typename Branch::Solution> {
 public:
  using Problem = typename Branch::Problem;
  using Solution = typename Branch::Solution;
  using Cache = TableCache<typename Branch::Builder, Storage>;

  NestRun(Storage storage, const Problem& problem, const ChoiceList& choices, std::size_t choice,
          Cache& cache)
      : storage_(storage),
        problem_(problem),
        choices_(choices),
        choice_(choices.choice(choice)),
        cache_(cache),
        lattices_(storage),
        search_(branch_, storage) {}

  /// Prepares the branch. Returns false if memory is short or the branch shares too many memories.
  bool prepare() {
    if (!lattices_.allocate(choices_.lattice_bytes()) || !find_tables()) return false;
    Arena arena = lattices_.arena();
    const BranchSetup setup = branch_.prepare(problem_, choices_.lattices(), choice_, tables(), arena);
    feasible_ = setup == BranchSetup::ready;
    if (storage_.tight()) tables_ = {};
    return feasible_ || setup == BranchSetup::infeasible;
  }

  /// Sets a function that computes a tighter but more expensive bound of the whole branch. The function may
  /// stop at a bound of `enough`. It is called once, when advance() starts the search of the branch.
  void refine_with(std::function<double(double enough)> refinement) { refinement_ = std::move(refinement); }

  SearchEnd advance(double target, double cut, const SearchBudget& budget) override {
    if (!feasible_ || std::max(branch_.root_bound(), refined_bound_) >= target) return SearchEnd::reached;
    if (refinement_) {
      refined_bound_ = std::exchange(refinement_, nullptr)(cut);
      if (refined_bound_ >= target) return SearchEnd::reached;
    }
    return with_tables([&] {
      SearchBudget rest = budget;
      if constexpr (HasOwnTable<Branch>) {
        const std::uint64_t before = own_work_;
        if (!find_own_table(target, cut, {worth_of_table(), budget.all_work, budget.stop}))
          return SearchEnd::out_of_memory;
        if (is_requested(budget.stop)) return SearchEnd::stopped;  // perhaps without the table
        const std::uint64_t filling = std::min(own_work_ - before, budget.all_work);
        rest.work = std::min(budget.work, budget.all_work - filling);
        refined_bound_ = std::max(refined_bound_, branch_.root_bound());
        if (refined_bound_ >= target) {
          drop_own_table();
          return SearchEnd::reached;
        }
      }
      return search_.advance(target, cut, rest);
    });
  }
  SearchEnd dive(double cut, const SearchBudget& budget) override {
    if (!feasible_) return SearchEnd::reached;
    return with_tables([&] { return search_.dive(cut, budget); });
  }
  SearchEnd beam(std::uint32_t width, double cut, const SearchBudget& budget) override {
    if (!feasible_) return SearchEnd::reached;
    return with_tables([&] { return LabelBeam(search_, storage_).run(width, cut, budget); });
  }
  /// Return lower bounds on costs below the limit: opened_bound() from the branch's own table if that is
  /// worth its work (FillsTables), tightened() from the table in any case. If memory or the work does not
  /// suffice, or a stop is requested, they return the known bound.
  double opened_bound(double limit, std::uint64_t table_work) override {
    return bound_below(limit, {first_table_work, table_work});
  }
  double tightened(double limit, const TableWork& work) override { return bound_below(limit, work); }
  std::uint64_t most_table_work() const override {
    if constexpr (HasOwnTable<Branch>) return 1 + worth_of_table();
    return 0;
  }
  double least_open() const override {
    return feasible_ ? std::max(search_.least_open(), refined_bound_) : no_cost;
  }
  // A branch with a table of its own computes it again if necessary.
  bool untouched() const override {
    return search_.untouched() && (HasOwnTable<Branch> || refined_bound_ == no_bound);
  }
  double best_cost() const override { return search_.best_cost(); }
  const SearchCounts& counts() const override {
    counts_ = search_.counts();
    counts_.expanded += own_work_;
    return counts_;
  }
  Solution solution() const override { return branch_.solution(search_); }
  KeptLabels kept() const override {
    KeptLabels kept;
    for (std::size_t a = 0; a < problem_.machine.axes.size(); ++a)
      for (std::size_t d = 0; d < dim_count; ++d)
        kept.branch.push_back(choices_.lattices()[d].value(choice_.node[a][d]));
    if constexpr (NamesSteps<Branch>) keep_steps(kept);
    return kept;
  }
  bool exchange(StateWriter& state) override { return exchange_with(state); }
  bool exchange(StateReader& state) override { return exchange_with(state); }
  Branch& branch() { return branch_; }
  const Branch& branch() const { return branch_; }
  const Problem& problem() const { return problem_; }

 private:
  // Records the step of a dominated label only if a label that is not dominated descends from it.
  void keep_steps(KeptLabels& kept) const {
    std::vector<KeptStep> steps(1);  // steps of all stored labels, the root first
    std::vector<bool> mirrored(1);
    std::vector<bool> counts(1);
    search_.each_stored([&](std::uint32_t parent, const auto& from, const auto& label, bool dominated) {
      bool frame = mirrored[parent];
      steps.push_back({parent, branch_.kept_step(from, label, frame)});
      mirrored.push_back(frame);
      counts.push_back(!dominated);
    });
    for (std::size_t i = steps.size(); i-- > 1;)
      if (counts[i]) counts[steps[i].parent] = true;
    std::vector<std::uint32_t> number(steps.size());
    for (std::size_t i = 1; i < steps.size(); ++i) {
      if (!counts[i]) continue;
      kept.steps.push_back({number[steps[i].parent], steps[i].step});
      number[i] = static_cast<std::uint32_t>(kept.steps.size());
    }
  }

  template <typename State>
  bool exchange_with(State& state) {
    bool refined = !refinement_;
    if (!state.values(refined_bound_, refined)) return false;
    if constexpr (HasOwnTable<Branch>)
      if (!state.values(has_own_table_, own_limit_, own_work_, own_tried_)) return false;
    if (refined) refinement_ = nullptr;
    if constexpr (ChecksLabels<Branch>)
      return LabelState<LabelSearch<Branch, Storage>>::exchange(search_, state);
    return false;
  }

  bool find_tables() {
    for (const Operand operand : all_operands) {
      auto& table = tables_[index_of(operand)];
      table = cache_.get(make_setup(problem_, choices_.lattices(), choice_, operand), storage_);
      if (!table) return false;
    }
    return true;
  }
  typename Branch::Tables tables() const {
    typename Branch::Tables tables{};
    for (std::size_t x = 0; x < operand_count; ++x) tables[x] = tables_[x].get();
    return tables;
  }

  std::uint64_t worth_of_table() const { return std::max(first_table_work, search_.counts().expanded); }

  double bound_below(double limit, const TableWork& work) {
    if constexpr (HasOwnTable<Branch>)
      if (limit < no_cost && least_open() < limit)
        with_tables([&] {
          if (find_own_table(limit, limit, work))
            refined_bound_ = std::max(refined_bound_, branch_.root_bound());
          return SearchEnd::reached;
        });
    return least_open();
  }

  // Tries to compute the branch's own table for costs up to the target. A table is worth as much work as the
  // search has already done without it. The limit of the table is higher than the target, so that it is
  // seldom computed again. Returns false if memory is short.
  bool find_own_table(double target, double cut, const TableWork& limits) {
    constexpr double margin = 1.5;
    if (has_own_table_ && own_limit_ >= std::min(target, cut))
      return own_table_ || fill_own_table({.stop = limits.stop}).has_value();
    if (limits.worth < 2 * own_tried_ || limits.most == 0) return true;
    own_limit_ = std::min(cut, target * margin);
    const auto work = fill_own_table(limits);
    if (!work) return false;
    own_work_ += *work;
    has_own_table_ = own_table_.has_value();
    if (!has_own_table_) own_tried_ = std::min(limits.worth, limits.most);
    return true;
  }
  // Computes the own table up to its limit, and drops it if that takes too much work. Returns the work, or
  // nothing if memory is short.
  std::optional<std::uint64_t> fill_own_table(const TableWork& limits) {
    drop_own_table();
    std::uint64_t work = 0;
    for (std::size_t bytes = branch_.own_table_bytes(); bytes != 0 && work == 0; bytes *= 2) {
      own_table_.emplace(storage_);
      if (!own_table_->allocate(bytes)) return std::nullopt;
      Arena arena = own_table_->arena();
      work = branch_.fill_own_table(own_limit_, limits, arena);
    }
    if (!branch_.has_own_table()) drop_own_table();
    return work;
  }
  void drop_own_table() {
    branch_.drop_own_table();
    own_table_.reset();
  }

  template <typename Turn>
  SearchEnd with_tables(Turn turn) {
    if (!tables_[0]) {
      if (!find_tables()) return SearchEnd::out_of_memory;
      branch_.use_tables(tables());
    }
    const SearchEnd end = turn();
    if (storage_.tight()) {
      tables_ = {};
      if constexpr (HasOwnTable<Branch>) drop_own_table();
    }
    return end;
  }

  Storage storage_;
  const Problem& problem_;
  const ChoiceList& choices_;
  const SpatialChoice& choice_;
  Cache& cache_;
  typename Storage::Bytes lattices_;
  std::array<std::shared_ptr<const typename Cache::Tables>, operand_count> tables_;
  Branch branch_;
  bool feasible_ = false;
  std::function<double(double)> refinement_;
  double refined_bound_ = no_bound;
  // A table that was dropped to save memory, or that a restored state had, is computed again when needed.
  bool has_own_table_ = false;
  std::optional<typename Storage::Bytes> own_table_;
  double own_limit_ = 0;
  std::uint64_t own_work_ = 0;
  std::uint64_t own_tried_ = 0;  // work that did not suffice for the table
  mutable SearchCounts counts_;
  LabelSearch<Branch, Storage> search_;
};

}  // namespace nestor
