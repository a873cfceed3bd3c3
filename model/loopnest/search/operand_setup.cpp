#include "model/loopnest/search/operand_setup.h"

#include "model/loopnest/spatial_factors.h"

namespace nestor {

FixedVector<std::uint8_t, max_memories> chain_of(const Constraints& constraints, const Hierarchy& machine,
                                                 Operand operand) {
  FixedVector<std::uint8_t, max_memories> chain;
  for (std::size_t m = 0; m < machine.memories.size(); ++m) {
    if (!machine.memories[m].operands.contains(operand)) continue;
    const bool end = m == machine.home(operand) || m == machine.innermost(operand);
    if (end || !constraints.must_not_use[m].contains(operand)) chain.push_back(static_cast<std::uint8_t>(m));
  }
  return chain;
}

OperandSetup make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                        const SpatialChoice& choice, Operand operand, bool lanes) {
  OperandSetup setup;
  make_setup(problem, machine, lattices, choice, operand, lanes, setup);
  return setup;
}

void make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                const SpatialChoice& choice, Operand operand, bool lanes, OperandSetup& setup) {
  setup.operand = operand;
  setup.chain = chain_of(problem.constraints, machine, operand);
  const SpatialFactors spatial = factors_of(choice, lattices);
  for (std::size_t c = 0; c < setup.chain.size(); ++c) {
    const Memory& memory = machine.memories[setup.chain[c]];
    setup.below[c] = extents_below(machine, memory, spatial);
    for (const Dim dim : all_dims)
      if (!problem.layer.is_relevant(dim, operand)) setup.below[c][index_of(dim)] = 1;
    setup.lanes_above[c] = lanes ? lanes_above(memory, spatial) : 1;
    setup.reduced_above[c] = operand == Operand::O && is_reduced_above(problem.layer, memory, spatial);
  }
  for (const Dim dim : all_dims) {
    const auto d = index_of(dim);
    if (problem.layer.is_relevant(dim, operand))
      lattices[d].complement(choice.used(d), setup.temporal[d]);
    else
      setup.temporal[d].factors.clear();
  }
}

std::array<std::uint32_t, max_memories> jump_targets(const Constraints& constraints,
                                                     const OperandSetup& setup) {
  std::array<std::uint32_t, max_memories> targets{};
  for (std::size_t from = 0; from < setup.chain.size(); ++from)
    for (std::size_t to = from; to-- > 0;) {
      targets[from] |= 1U << to;
      if (constraints.must_use[setup.chain[to]].contains(setup.operand)) break;
    }
  return targets;
}

}  // namespace nestor
