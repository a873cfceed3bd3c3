// Does a mapping keep to what the user fixed? A plain reading of the constraints, apart from how the search
// enforces them: what the search and the heuristics return is checked with it. And constraints that no
// mapping at all keeps to.
#pragma once

#include "model/loopnest/constraints.h"
#include "model/loopnest/layer.h"

namespace nestor {

/// `mapping` is legal and canonical. Limits on latency and energy are not looked at. A loop may appear as
/// several adjacent loops of its dimension, and several as one.
bool honours(const Constraints& constraints, const LayerShape& layer, const Hierarchy& machine,
             const Mapping& mapping);

/// Whether what is fixed about memories contradicts itself or the machine: every operand uses its home and
/// its innermost memory. Searches count on this being false, as they place no loop to use either.
bool asks_the_impossible(const Constraints& constraints, const Hierarchy& machine);

}  // namespace nestor
