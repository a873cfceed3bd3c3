// Is a mapping legal on a PIM machine (docs/models/pim.md, section 2)? What loop-nest spaces share is asked
// of them; here are the rules that only this space has. The answer names the first violated rule and its
// numbers.
#pragma once

#include <optional>

#include "model/loopnest/rules/legality.h"
#include "model/pim/machine.h"
#include "model/pim/mapping.h"

namespace nestor::pim {

enum class PimRule : std::uint8_t {
  nest,             ///< a rule of all loop nests: see `nest`
  dim_twice,        ///< `dim` has factors on two axes, `axis` the second, of which one at most may have any
  stored_nowhere,   ///< (`memory`, `operand`) is stored, but the memory does not hold the operand
  stored_capacity,  ///< with stored pairs, `memory` needs `found` bits and holds `limit`
  uneven,           ///< no level per loop gives these blocks
  layout_kind,      ///< W has no height, width and channels to be last
  layout_block,     ///< the blocks of `operand`'s layout do not divide its plane: `found` of `limit`
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
  bool along_width = false;  ///< layout_block: the block's width, not its height
};

/// The first violated rule; nothing if the mapping is legal and canonical.
std::optional<PimViolation> find_violation(const LayerShape& layer, const PimMachine& machine,
                                           const PimMapping& mapping);

/// Of these only what normalisation might hide.
std::optional<PimViolation> find_misplacement(const PimMachine& machine, const PimMapping& mapping);

/// Brings a mapping into canonical form; a layout where there are no rows becomes sequential, and so does one
/// that says the same.
void normalise(PimMapping& mapping, const LayerShape& layer, const PimMachine& machine);

/// The tensor of an operand as it lies in one DRAM.
std::array<Int, 4> tensor_in_dram(const LayerShape& layer, const PimMachine& machine,
                                  const PimMapping& mapping, Operand operand);

}  // namespace nestor::pim
