// All inputs of the tables of one operand under one spatial choice: the memories that the operand may use,
// the spatial extents below and the lanes above each memory, and the remaining factors for loops. Choices
// that differ only in dimensions irrelevant to an operand have the same setup and share its tables.
#pragma once

#include "model/loopnest/search/spatial_choice.h"

namespace nestor {

struct OperandSetup {
  Operand operand = Operand::I;
  FixedVector<std::uint8_t, max_memories> chain;   ///< the operand's memories, outermost (home) first
  std::array<Extents, max_memories> below{};       ///< per chain memory, spatial extents of the axes below it
  std::array<Int, max_memories> lanes_above{};     ///< per chain memory, product of all factors on the axes
                                                   ///< above it
  std::array<bool, max_memories> reduced_above{};  ///< per chain memory, true if an axis above carries a
                                                   ///< reduction
  FactorSets temporal;                             ///< remaining factors for loops; empty for irrelevant
                                                   ///< dimensions

  friend bool operator==(const OperandSetup&, const OperandSetup&) = default;
};

/// Builds the setup of an operand under a spatial choice. Without `lanes`, lanes_above is 1. More choices
/// then share their tables; use this if no cost depends on lanes_above.
OperandSetup make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                        const SpatialChoice& choice, Operand operand, bool lanes);
/// Builds the setup in place.
void make_setup(const NestProblem& problem, const Hierarchy& machine, const Lattices& lattices,
                const SpatialChoice& choice, Operand operand, bool lanes, OperandSetup& setup);

/// Returns the memories that the constraints allow an operand, outermost first.
FixedVector<std::uint8_t, max_memories> chain_of(const Constraints& constraints, const Hierarchy& machine,
                                                 Operand operand);

/// Returns for each chain position the set of positions further out to which a block may move directly. The
/// set does not extend beyond the nearest memory that the operand must use.
std::array<std::uint32_t, max_memories> jump_targets(const Constraints& constraints,
                                                     const OperandSetup& setup);

}  // namespace nestor
