// Concepts for the branches of loop-nest spaces, in addition to SearchBranch, which applies to every branch.
// Spaces assert them next to their branches, so that errors are reported where a member is missing. NestRun
// and FrontRun (model/loopnest/space) accept any type that satisfies the concepts.
#pragma once

#include <limits>

#include "base/arena.h"
#include "base/stop_signal.h"
#include "model/loopnest/search/branch_setup.h"
#include "model/loopnest/search/operand_setup.h"
#include "model/loopnest/search/spatial_choice.h"
#include "model/loopnest/search/staircase.h"
#include "solver/search/concepts.h"

namespace nestor {

/// Stand-in for a finished search, with the interface of LabelSearch::walk_back. The concepts use it as an
/// argument of solution().
template <typename Label>
struct WalkProbe {
  template <typename Visit>
  void walk_back(Visit visit) const {
    visit(Label{}, Label{});
  }
};

/// A branch has these members:
/// - Tables: for each operand, a pointer to tables. The branch's Builder (TableBuilder) builds them from the
///   result of make_setup(problem, lattices, choice, operand), which is declared next to the problem type.
/// - prepare(problem, lattices, choice, tables, arena): prepares the search below one spatial choice.
///   All arguments and the memory taken from the arena must outlive the branch.
/// - use_tables(tables): replaces the tables with equal tables at another address.
/// - solution(search): returns the mapping of a complete label, found by a walk from the label back to the
///   root; reads no tables.
template <typename B>
concept NestBranch = SearchBranch<B> && std::default_initializable<B> &&
    std::same_as<typename B::Tables, std::array<const typename B::Builder::Tables*, operand_count>> &&
    std::same_as<typename B::Problem, typename B::Builder::Problem> &&
    requires(B& branch, const B& view, const typename B::Problem& problem, const Lattices& lattices,
             const SpatialChoice& choice, const typename B::Tables& tables, Arena& arena,
             const WalkProbe<typename B::Label>& search) {
  { make_setup(problem, lattices, choice, Operand::O) } -> std::same_as<OperandSetup>;
  { branch.prepare(problem, lattices, choice, tables, arena) } -> std::same_as<BranchSetup>;
  branch.use_tables(tables);
  { view.solution(search) } -> std::same_as<typename B::Solution>;
};

/// Limits on the work of computing a table, in expansions. The computation does not begin if it is likely to
/// take more work than the table is worth, and it is given up when it reaches a limit or a stop is requested.
struct TableWork {
  std::uint64_t worth = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const StopSignal* stop = nullptr;
};

/// A branch with a table of its own, which takes time and memory and tightens its bounds.
/// own_table_bytes() returns the bytes with which fill_own_table() may be tried, or 0 if there is no table.
/// fill_own_table(limit, work, arena) computes the table as far as it bounds costs below the limit, and
/// raises root_bound(). It returns the work, or 0 if the arena is too small. The memory must stay valid until
/// drop_own_table().
template <typename B>
concept HasOwnTable = requires(B& branch, const B& view, Arena& arena, double limit, const TableWork& work) {
  { branch.own_table_bytes() } -> std::same_as<std::size_t>;
  { branch.fill_own_table(limit, work, arena) } -> std::same_as<std::uint64_t>;
  { view.has_own_table() } -> std::same_as<bool>;
  branch.drop_own_table();
};

/// use_staircase(staircase): from this call on, the branch prunes mappings that the staircase dominates.
template <typename B>
concept StaircaseBranch = NestBranch<B> && requires(B& branch, Staircase staircase) {
  branch.use_staircase(staircase);
};

/// A branch whose steps have numbers for proofs. kept_step(parent, label, mirrored) returns the number of a
/// step for KeptLabels (solver/engine/kept_labels.h). On entry, `mirrored` is true if the parent is mirrored
/// relative to the root; on return, it is true if the label is.
template <typename B>
concept NamesSteps = requires(const B& branch, const typename B::Label& label, bool mirrored) {
  { branch.kept_step(label, label, mirrored) } -> std::same_as<std::uint64_t>;
};

}  // namespace nestor
