// A toy loop-nest space of two memories: a layer's loops are split into an inside part, whose tiles lie in a
// buffer, and an outside part, which fetches all tiles anew in each iteration. What to minimise is the bits
// fetched. Too simple to be of use, it shows what a loop-nest space brings to the engine (ARCHITECTURE.md).
#pragma once

#include <algorithm>
#include <optional>

#include "model/loopnest/space/nest_space.h"
#include "model/loopnest/tiles.h"
#include "solver/engine/host_storage.h"

namespace nestor::toy {

// Step 1: the machine, a hierarchy and whatever computes (here nothing).
struct Machine : Hierarchy {};
inline Machine make_machine(Int buffer_bits) {
  Machine machine;
  const auto all = OperandSet::of(Operand::I, Operand::W, Operand::O);
  machine.memories.push_back({.operands = all});
  machine.memories.push_back({.operands = all, .capacity = buffer_bits});
  return machine;
}

// Step 2: what may be decided, here the inside part of every bound, and what it costs.
using Inside = Extents;
inline Int tile_bits(const LayerShape& layer, const Inside& inside) {
  Int bits = 0;
  for (const Operand operand : all_operands)
    bits += elements(layer, operand, inside) * layer.bits.of(operand);
  return bits;
}
/// The bits fetched; nothing if the tiles do not fit, or do not divide the layer.
inline std::optional<Int> evaluate(const LayerShape& layer, const Machine& machine, const Inside& inside) {
  Int fetches = 1;
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (inside[d] < 1 || layer.bounds[d] % inside[d] != 0) return std::nullopt;
    fetches *= layer.bounds[d] / inside[d];
  }
  const Int tile = tile_bits(layer, inside);
  if (tile > machine.memories[1].capacity) return std::nullopt;
  return fetches * tile;
}

// Step 3: the search problem, and the branch of the label search: dimension by dimension, which factors lie
// inside. The outside part and the tiles of dimensions still to come are at least 1, so a bound never exceeds
// the cost of a completion.
struct Problem : NestProblem {
  Machine machine;
};
inline Problem make_problem(const LayerShape& layer, const Machine& machine) {
  Problem problem;
  problem.layer = layer;
  problem.factors = prime_factors(layer.bounds);
  problem.machine = machine;
  return problem;
}
inline OperandSetup make_setup(const Problem& problem, const Lattices& lattices, const SpatialChoice& choice,
                               Operand operand) {
  return nestor::make_setup(problem, problem.machine, lattices, choice, operand, false);
}
class Branch {
 public:
  using Problem = toy::Problem;
  using Solution = Inside;
  using Builder = NoTables<Problem>;
  using Tables = std::array<const Builder::Tables*, operand_count>;
  struct Label {
    std::array<LatticeNode, dim_count> node{};
    int decided = 0;
  };

  BranchSetup prepare(const Problem& problem, const Lattices& lattices, const SpatialChoice&, const Tables&,
                      Arena&) {
    problem_ = &problem;
    lattices_ = &lattices;
    return root_bound() < no_cost ? BranchSetup::ready : BranchSetup::infeasible;
  }
  void use_tables(const Tables&) {}

  Label root() const { return {}; }
  double root_bound() const { return bound(root()); }
  int max_depth() const { return static_cast<int>(dim_count); }
  int depth(const Label& label) const { return label.decided; }
  std::uint64_t key(const Label& label) const {
    std::uint64_t key = 0;
    for (std::size_t d = 0; d < dim_count; ++d) key = key * (*lattices_)[d].size() + label.node[d];
    return key * (dim_count + 1) + static_cast<std::uint64_t>(label.decided);
  }
  bool dominates(const Label&, const Label&, double) const { return true; }  // one key, one placement
  double preference(const Label& label) const { return bound(label); }

  template <typename Emit>
  double expand(const Label& label, double from, double below, double cut, Emit emit) const {
    double beyond = no_cost;
    const auto d = static_cast<std::size_t>(label.decided);
    for (std::size_t node = 0; node < (*lattices_)[d].size(); ++node) {
      Label child = label;
      child.node[d] = static_cast<LatticeNode>(node);
      ++child.decided;
      const double least = bound(child);
      const bool complete = child.decided == max_depth();
      if (complete ? least >= cut : least >= below)
        beyond = std::min(beyond, least);
      else if (complete || least >= from)
        emit(child, least);
    }
    return beyond;
  }
  template <typename Search>
  Inside solution(const Search& search) const {
    std::optional<Inside> inside;
    search.walk_back([&](const Label&, const Label& child) {
      if (!inside) inside = inside_of(child);
    });
    return inside.value_or(unit_extents);
  }

 private:
  Inside inside_of(const Label& label) const {
    Inside inside{};
    for (std::size_t d = 0; d < dim_count; ++d) inside[d] = (*lattices_)[d].value(label.node[d]);
    return inside;
  }
  double bound(const Label& label) const {
    const Int tile = tile_bits(problem_->layer, inside_of(label));
    if (tile > problem_->machine.memories[1].capacity) return no_cost;
    Int fetches = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(label.decided); ++d)
      fetches *= (*lattices_)[d].remaining(label.node[d]);
    return static_cast<double>(fetches * tile);
  }

  const Problem* problem_ = nullptr;
  const Lattices* lattices_ = nullptr;
};

// Step 4: the space of the engine. There are no axes, so there is one spatial choice.
using Space = BranchSpace<Branch, HostStorage>;
inline ChoiceRules rules_of(const Problem& problem) {
  const auto least = static_cast<double>(tile_bits(problem.layer, unit_extents));
  return {.bound = [least](Int) { return least; }};
}

}  // namespace nestor::toy
