#include "model/loopnest/search/operand_setup.h"

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
  setup.operand = operand;
  setup.chain = chain_of(problem.constraints, machine, operand);
  for (std::size_t c = 0; c < setup.chain.size(); ++c) {
    const std::size_t above = machine.memories[setup.chain[c]].axes_above;
    setup.below[c] = unit_extents;
    setup.lanes_above[c] = 1;
    for (std::size_t a = 0; a < machine.axes.size(); ++a)
      for (const Dim dim : all_dims) {
        const Int factor = lattices[index_of(dim)].value(choice.node[a][index_of(dim)]);
        if (a >= above) {
          if (problem.layer.is_relevant(dim, operand)) setup.below[c][index_of(dim)] *= factor;
        } else {
          if (lanes) setup.lanes_above[c] *= factor;
          if (operand == Operand::O && problem.layer.is_reduction(dim) && factor > 1)
            setup.reduced_above[c] = true;
        }
      }
  }
  for (const Dim dim : all_dims) {
    if (!problem.layer.is_relevant(dim, operand)) continue;
    const auto d = index_of(dim);
    LatticeNode used = 0;
    for (std::size_t a = 0; a < machine.axes.size(); ++a)
      used = static_cast<LatticeNode>(used + choice.node[a][d]);
    setup.temporal[d] = lattices[d].complement(used);
  }
  return setup;
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
