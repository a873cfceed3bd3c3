// Concepts of the engine: the requirements on a space and on the searches that it opens. The requirements on
// a branch and on the storage of its labels are in solver/search/concepts.h.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>

#include "solver/engine/host_storage.h"
#include "solver/search/label_search.h"

namespace nestor {

static_assert(BudgetedStorage<HostStorage>);

/// The search of one branch. It can pause after any turn and resume later.
///
/// - advance(target, cut, budget): expands labels below the target and prunes labels at or above the cut.
/// - dive(cut, budget): follows the most promising children to a first solution.
/// - least_open(): a lower bound on the cost of all completions not found yet; no_cost if there are none.
/// - untouched(): true if no work was done, so that the search can be dropped and opened again without loss.
/// - best_cost(), solution(): the best completion found; best_cost() is no_cost if there is none.
template <typename R>
concept SearchRun = requires(R& run, const R& view, double cost, const SearchBudget& budget) {
  { run.advance(cost, cost, budget) } -> std::same_as<SearchEnd>;
  { run.dive(cost, budget) } -> std::same_as<SearchEnd>;
  { view.least_open() } -> std::same_as<double>;
  { view.untouched() } -> std::same_as<bool>;
  { view.best_cost() } -> std::same_as<double>;
  { view.counts() } -> std::convertible_to<SearchCounts>;
  view.solution();
};

/// A search that fills tables, which counts as expansions and gives tighter bounds.
///
/// - opened_bound(limit, table_work): returns a lower bound on the cost of all completions of a branch that
///   was just opened, if they cost less than the limit.
/// - most_table_work(): the most work on tables of the next turn.
template <typename R>
concept FillsTables = requires(R& run, const R& view, double limit, std::uint64_t table_work) {
  { run.opened_bound(limit, table_work) } -> std::same_as<double>;
  { view.most_table_work() } -> std::same_as<std::uint64_t>;
};

/// Most work on tables in the first turns of a branch, in expansions.
inline constexpr std::uint64_t first_table_work = 64;

/// Returns the bound of a branch that was just opened, for completions that cost less than the cut.
template <SearchRun R>
double first_bound(R& run, double cut, const SearchBudget& budget) {
  if constexpr (FillsTables<R>)
    return run.opened_bound(cut, budget.all_work);
  else
    return run.least_open();
}

/// Returns the most work on tables of the next turn of a branch, whose search is null if it is not open.
template <SearchRun R>
std::uint64_t most_table_work(const R* run) {
  if constexpr (FillsTables<R>) return run != nullptr ? run->most_table_work() : first_table_work;
  return 0;
}

/// Numbered branches, each with a cheap lower bound. Several threads call open(), which returns null if
/// memory runs out.
template <typename S>
concept SearchSpace = SearchRun<typename S::Run> && std::copy_constructible<typename S::Solution> &&
    std::default_initializable<typename S::Solution> &&
    requires(S& space, const S& view, const typename S::Run& run, std::size_t branch, HostStorage storage) {
  { view.branch_count() } -> std::same_as<std::size_t>;
  { view.branch_bound(branch) } -> std::same_as<double>;
  { space.open(branch, storage) } -> std::same_as<std::unique_ptr<typename S::Run>>;
  { run.solution() } -> std::convertible_to<typename S::Solution>;
};

/// A space that is notified at the end of each round, when no branch is being searched.
template <typename S>
concept HearsRounds = requires(S& space) {
  space.round_ended();
};

}  // namespace nestor
