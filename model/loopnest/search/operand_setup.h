// Everything that the tables of one operand depend on, under one spatial choice: the memories that it may
// use, what the axes put below and above each, and the factors that are left for loops. Choices that differ
// only in what an operand does not see have the same setup, and share its tables.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

struct OperandSetup {
  Operand operand = Operand::I;
  FixedVector<std::uint8_t, max_memories> chain;   ///< the operand's memories, outermost (home) first
  std::array<Extents, max_memories> below{};       ///< per chain memory, spatial extents of the axes below
  std::array<Int, max_memories> lanes_above{};     ///< per chain memory, all mapped factors above
  std::array<bool, max_memories> reduced_above{};  ///< per chain memory, a reduction factor above
  FactorSets temporal;                             ///< factors left for loops; irrelevant dims empty

  friend bool operator==(const OperandSetup&, const OperandSetup&) = default;
};

/// The setup of an operand under a spatial choice. Without `lanes`, lanes_above is 1: more choices share
/// their tables where no cost depends on it.
OperandSetup make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                        const SpatialChoice& choice, Operand operand, bool lanes);
/// The same in place.
void make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                const SpatialChoice& choice, Operand operand, bool lanes, OperandSetup& setup);

/// The memories that the constraints leave to an operand, outermost first.
FixedVector<std::uint8_t, max_memories> chain_of(const Constraints& constraints, const Hierarchy& machine,
                                                 Operand operand);

/// Per chain position, the set of chain positions further out that a block may move to at once: none beyond
/// the nearest memory that the operand must use.
std::array<std::uint32_t, max_memories> jump_targets(const Constraints& constraints,
                                                     const OperandSetup& setup);

}  // namespace nestor
