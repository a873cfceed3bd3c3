// Legality of a mapping on a PIM machine (docs/models/pim.md, section 2). The rules of this space are checked
// here, the common rules of loop-nest spaces in model/loopnest/rules. A violation names the first broken rule
// with its numbers.
#pragma once

#include <optional>

#include "model/loopnest/rules/legality.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

enum class PimRule : std::uint8_t {
  nest,             ///< a rule of all loop nests, in the field `nest`
  dim_twice,        ///< `dim` has factors on more than one of the dim_once axes; `axis` is the second of
                    ///< these axes
  stored_nowhere,   ///< (`memory`, `operand`) is stored, but the memory does not accept that operand
  stored_capacity,  ///< with stored pairs, the tiles in `memory` need `found` bits, but it has only `limit`
  uneven,           ///< no assignment of one level per loop results in these blocks
  layout_kind,      ///< layout hwc for an operand without planes
  layout_block,     ///< block of `operand` does not divide its plane: side `found` of the block, side `limit`
                    ///< of the plane
};

struct PimViolation {
  PimRule rule = PimRule::nest;
  Violation nest{};
  Dim dim = Dim::N;
  Operand operand = Operand::I;
  std::size_t axis = 0;
  std::size_t memory = 0;
  Int found = 0;
  Int limit = 0;
  bool along_width = false;  ///< layout_block: true for the width of the block, false for its height
};

/// Returns the first broken rule, or nothing if the mapping is legal and canonical.
std::optional<PimViolation> find_violation(const LayerShape& layer, const PimMachine& machine,
                                           const PimMapping& mapping);

/// Returns the first violation of a rule that normalisation might hide.
std::optional<PimViolation> find_misplacement(const PimMachine& machine, const PimMapping& mapping);

/// Brings a mapping into canonical form. The layout of an operand whose home has no rows becomes sequential.
/// Equivalent layouts become equal.
void normalise(PimMapping& mapping, const LayerShape& layer, const PimMachine& machine);

/// Returns the size of an operand's tensor in one DRAM along each coordinate (rows/row_walk.h).
std::array<Int, 4> tensor_in_dram(const LayerShape& layer, const PimMachine& machine,
                                  const PimMapping& mapping, Operand operand);

}  // namespace nestor::pim
