// The canonical form of a mapping (docs/models/cim.md, section 3): in every block except that of the
// innermost memory, the innermost loop is relevant to the operand. The search space consists of the canonical
// mappings.
#pragma once

#include <array>

#include "model/loopnest/layer.h"
#include "model/loopnest/mapping.h"

namespace nestor {

/// Brings a mapping into canonical form. Irrelevant loops at the inner end of a block join the next used
/// block inward. If no loop of an operand remains in a memory, the operand bypasses it and has no double
/// buffer there. Loops with factor 1 are dropped.
void normalise(Mapping& mapping, const LayerShape& layer, const Hierarchy& machine);

/// Returns, for each memory, the operands that have loops in it.
std::array<OperandSet, max_memories> memories_with_loops(const Mapping& mapping);

}  // namespace nestor
