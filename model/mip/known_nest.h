// A mapping in the form of a formulation's columns: one loop per slot, with the inactive slots outermost, and
// a lattice node for every factor. Loops that commute are put into the order that the formulation's symmetry
// rows require. Adjacent loops of one dimension are merged. Neither change affects a cost.
#pragma once

#include <optional>
#include <vector>

#include "model/loopnest/hierarchy.h"
#include "model/loopnest/mapping.h"
#include "model/mip/lattice.h"

namespace nestor::mip {

struct KnownSlot {
  int dim = -1;  ///< -1: inactive
  std::size_t node = 0;
  std::array<std::uint8_t, operand_count> at{};  ///< memory of each operand
};

struct KnownNest {
  std::vector<KnownSlot> slots;  ///< outermost first
  std::vector<std::array<std::size_t, dim_count>> axes;
  std::array<OperandSet, max_memories> doubled{};

  /// Returns how often each factor of a dimension occurs in the slots whose memory for `operand` is `memory`
  /// or a memory inside it.
  FactorCounts content(const Lattices& lattices, Operand operand, std::size_t memory, std::size_t dim) const;
  /// Returns how often each factor of a dimension occurs on the axes from `axis` inward.
  FactorCounts below(const Lattices& lattices, std::size_t axis, std::size_t dim) const;
};

/// Returns the number of slots in a formulation, which is the number of factors.
std::size_t slot_count(const FactorSets& factors);

/// Converts a legal and canonical mapping. Returns nothing if the mapping has more loops than `slots`, or if
/// a factor of the mapping is not a product of the lattices' factors. If `ordered`, loops that commute are
/// sorted and merged.
std::optional<KnownNest> known_nest(const Mapping& mapping, const Hierarchy& machine,
                                    const Lattices& lattices, std::size_t slots, bool ordered);

}  // namespace nestor::mip
