// Requirements on a branch of a loop-nest space beyond those on any branch (SearchBranch), as concepts that
// the compiler checks. Spaces assert them beside their branches, so that what is missing shows where it is
// missing; NestRun and FrontRun (model/loopnest/space) run whatever keeps them.
#pragma once

#include "base/arena.h"
#include "model/loopnest/search/branch_setup.h"
#include "model/loopnest/search/operand_setup.h"
#include "model/loopnest/search/spatial_choice.h"
#include "model/loopnest/search/staircase.h"
#include "solver/search/concepts.h"

namespace nestor {

/// Stands for a search that is over: what LabelSearch::walk_back gives to see.
template <typename Label>
struct WalkProbe {
  template <typename Visit>
  void walk_back(Visit visit) const {
    visit(Label{}, Label{});
  }
};

/// - Tables: a pointer per operand to what its Builder (TableBuilder) makes of make_setup(problem, lattices,
///   choice, operand), which is found beside its problem.
/// - prepare(problem, lattices, choice, tables, arena): begins with one spatial choice. All of them
///   outlive the branch, and so does what it takes from the arena.
/// - use_tables(tables): the same tables, at another place.
/// - solution(search): what a walk back from a complete label describes; reads no tables.
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

/// use_staircase(staircase): from now on only what they do not cover counts.
template <typename B>
concept StaircaseBranch = NestBranch<B> && requires(B& branch, Staircase staircase) {
  branch.use_staircase(staircase);
};

/// A branch whose steps proofs name. kept_step(parent, label, mirrored) is the number of a step for
/// KeptLabels (solver/engine/kept_labels.h); `mirrored`: whether the parent's frame is the mirror, then the
/// label's.
template <typename B>
concept NamesSteps = requires(const B& branch, const typename B::Label& label, bool mirrored) {
  { branch.kept_step(label, label, mirrored) } -> std::same_as<std::uint64_t>;
};

}  // namespace nestor
